import { buildPyramid } from '#audio/peaks/peaks-pyramid.ts';
import type { PeaksSource } from './peaks-source.ts';
import { peaksFrom } from './pyramid-source.ts';

interface LocalEdition {
  takeId: string;
  edition: 'growing' | 'whole';
}

/** The peaks of a take on this device. The pyramid is built in memory from pairs of minimum and maximum. */
export function localPeaks(
  { takeId, edition }: LocalEdition,
  readPoints: () => Promise<Int8Array>,
): PeaksSource {
  let file: Promise<Uint8Array<ArrayBuffer>> | null = null;
  return peaksFrom(`local:${takeId}:${edition}`, async ({ from, to }) => {
    file ??= readPoints().then(buildPyramid);
    return (await file).slice(from, to);
  });
}
