import { summarizeGaps } from '#contract/gap-summary.ts';
import type { PlayableRecording, PlayableSegment } from '#web/features/player/playable-recording.ts';

type Proven = Pick<PlayableRecording, 'state' | 'segments' | 'isDamaged' | 'hasNoSound'>;

/**
 * Whether the server has issued a receipt for every part of a finished recording and no later check found damage.
 */
export const isProven = ({ state, segments, isDamaged, hasNoSound }: Proven): boolean =>
  state === 'ready' &&
  !isDamaged &&
  !hasNoSound &&
  segments.length > 0 &&
  segments.every(({ storedAt, damagedAt }) => storedAt !== null && damagedAt === null);

/**
 * Time of the oldest check among all parts, in ISO 8601; null if a part has not been checked since it was stored.
 */
export function lastCheckedAt(segments: readonly PlayableSegment[]): string | null {
  const checked = segments.flatMap(({ verifiedAt }) => (verifiedAt === null ? [] : [verifiedAt]));
  return checked.length < segments.length ? null : (checked.toSorted().at(0) ?? null);
}

/** The receipts of a recording as JSON: hash, length and times of every part, to compare with the audio later. */
export function proofOf({ id, title, durationMs, gaps, segments }: PlayableRecording): string {
  const parts = segments.map(
    ({ index, startMs, durationMs: partMs, sizeBytes, sha256, storedAt, verifiedAt }) => ({
      part: index + 1,
      startMs,
      durationMs: partMs,
      sizeBytes,
      sha256,
      storedAt,
      verifiedAt,
    }),
  );
  const { isComplete, missingMs } = summarizeGaps(gaps);
  return `${JSON.stringify({ recordingId: id, title, durationMs, isComplete, missingMs, gaps, parts }, null, 2)}\n`;
}
