import { overviewOf } from '#audio/peaks/peaks-overview.ts';

/**
 * The loudness values 0–127 of a take on this device: the same promise for the same length of the same take.
 */
export type LocalOverviews = (take: { id: string; durationMs: number }) => Promise<Uint8Array>;

/**
 * Works out the thumbnails of takes from their peaks, each once and only when a row asks; a take that cannot
 * be read has an empty one.
 * @param readPeaks min, max, min, max… of a take
 */
export function createLocalOverviews(readPeaks: (takeId: string) => Promise<Int8Array>): LocalOverviews {
  const overviews = new Map<string, { durationMs: number; overview: Promise<Uint8Array> }>();
  return ({ id, durationMs }) => {
    const known = overviews.get(id);
    if (known?.durationMs === durationMs) return known.overview;
    const overview = readPeaks(id).then(
      (points) => overviewOf(points),
      () => new Uint8Array(),
    );
    overviews.set(id, { durationMs, overview });
    return overview;
  };
}
