import { pyramidHeaderBytes, readPyramidHeader } from '#audio/peaks/peaks-pyramid.ts';

/** Enough for the header and the coarsest level, which has at most 1,000 points. */
export const overviewBytes = 4096;

/**
 * Reads the loudness of the whole recording from the first bytes of its peaks: one value of 0 to 1 per point of the
 * coarsest level; empty for anything else.
 */
export function loudnessOf(bytes: Uint8Array): number[] {
  const level = readPyramidHeader(bytes)?.levels[0];
  if (!level || bytes.length < pyramidHeaderBytes + level.points * 2) return [];
  const points = new Int8Array(bytes.buffer, bytes.byteOffset + level.offsetBytes, level.points * 2);
  return Array.from({ length: level.points }, (_, index) =>
    Math.min(1, Math.max(-(points[index * 2] ?? 0), points[index * 2 + 1] ?? 0, 0) / 127),
  );
}

/** Reduces or repeats values to `count` bars, each the loudest of its share. */
export function barsOf(loudness: readonly number[], count: number): number[] {
  return Array.from({ length: loudness.length === 0 ? 0 : count }, (_, index) => {
    const from = Math.floor((index * loudness.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * loudness.length) / count));
    return Math.max(...loudness.slice(from, to));
  });
}
