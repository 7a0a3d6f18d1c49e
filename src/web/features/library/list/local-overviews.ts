import { overviewOf } from '#audio/peaks/peaks-overview.ts';

/**
 * The loudness values (0–127) of a take on this device. Returns the same promise for the same take and duration.
 */
export type LocalOverviews = (take: { id: string; durationMs: number | null }) => Promise<Uint8Array>;

/**
 * Computes the thumbnails of takes from their peaks, each once and only when a row needs it. A take that can't be
 * read gets an empty one.
 * @param readPeaks reads pairs of minimum and maximum of a take
 */
export function createLocalOverviews(readPeaks: (takeId: string) => Promise<Int8Array>): LocalOverviews {
  const overviews = new Map<string, { durationMs: number | null; overview: Promise<Uint8Array> }>();
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
