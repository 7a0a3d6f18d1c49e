/**
 * A length as it may be stored and shown. Bytes without a measured length are sound of unknown length (null), because
 * only the server can measure some files; no bytes are zero milliseconds.
 */
export const knownLengthMs = (durationMs: number | null, sizeBytes: number): number | null =>
  durationMs === 0 && sizeBytes > 0 ? null : durationMs;

/**
 * How long a take had run when its record was written last, without its pauses. Used as the end of a take of unknown
 * length: what follows must not overlap sound that nobody has measured.
 */
export function elapsedMsOf({
  startedAtMs,
  updatedAtMs,
  pauses,
}: {
  startedAtMs: number;
  updatedAtMs: number;
  pauses: readonly { durationMs: number }[];
}): number {
  const pausedMs = pauses.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return Math.max(0, updatedAtMs - startedAtMs - pausedMs);
}
