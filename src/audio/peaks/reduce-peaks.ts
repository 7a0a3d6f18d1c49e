/**
 * Computes the next coarser level: every `reduction` points (min, max, min, max…) become one that covers them; the
 * last one may cover fewer.
 */
export function reduceLevel(points: Int8Array, reduction = 4): Int8Array<ArrayBuffer> {
  const reduced = new Int8Array(Math.ceil(points.length / 2 / reduction) * 2);
  reduceInto(reduced, points, reduction);
  return reduced;
}

/** `reduceLevel` into an existing buffer with space for every coarser point. */
export function reduceInto(target: Int8Array, points: Int8Array, reduction: number): void {
  const step = reduction * 2;
  for (let from = 0, to = 0; to < target.length; from += step, to += 2) {
    const end = Math.min(points.length, from + step);
    let lowest = 127;
    let highest = -128;
    for (let index = from; index < end; index += 2) {
      const minimum = points[index] ?? 0;
      const maximum = points[index + 1] ?? 0;
      if (minimum < lowest) lowest = minimum;
      if (maximum > highest) highest = maximum;
    }
    target[to] = lowest;
    target[to + 1] = highest;
  }
}
