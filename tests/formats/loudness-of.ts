/** The larger absolute value of each point of a waveform, 0–1. */
export const loudnessOf = (points: Int8Array): number[] =>
  Array.from(
    { length: points.length / 2 },
    (_, point) => Math.max(Math.abs(points[2 * point] ?? 0), Math.abs(points[2 * point + 1] ?? 0)) / 127,
  );
