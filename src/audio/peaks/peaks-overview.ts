import type { PointSource } from './peaks-pyramid.ts';

/**
 * A thumbnail of a recording: up to `count` loudness values 0–127, each the root mean square of the peaks in
 * its share of the time; fewer points than `count` give one value per point.
 * @param points min, max, min, max…
 */
export function overviewOf(points: Int8Array, count = 96): Uint8Array<ArrayBuffer> {
  const pointCount = Math.floor(points.length / 2);
  const values = new Uint8Array(Math.min(count, pointCount));
  for (let index = 0; index < values.length; index++) {
    const from = Math.floor((index * pointCount) / values.length);
    const to = Math.floor(((index + 1) * pointCount) / values.length);
    values[index] = loudnessOf(points, from, to);
  }
  return values;
}

/** `overviewOf` for points that are read share by share. */
export async function overviewOfSource(
  { points: pointCount, read }: PointSource,
  count = 96,
): Promise<Uint8Array<ArrayBuffer>> {
  const values = new Uint8Array(Math.min(count, pointCount));
  for (let index = 0; index < values.length; index++) {
    const share = await read(
      Math.floor((index * pointCount) / values.length),
      Math.floor(((index + 1) * pointCount) / values.length),
    );
    values[index] = loudnessOf(share, 0, share.length / 2);
  }
  return values;
}

const loudnessOf = (points: Int8Array, from: number, to: number): number =>
  Math.min(127, Math.round(Math.sqrt(sumOfSquares(points, from, to) / (to - from))));

function sumOfSquares(points: Int8Array, from: number, to: number): number {
  let sum = 0;
  for (let index = from * 2; index < to * 2; index += 2) {
    const peak = Math.max(-(points[index] ?? 0), points[index + 1] ?? 0);
    sum += peak * peak;
  }
  return sum;
}
