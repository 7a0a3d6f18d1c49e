/** The rate at which speech is heard. */
export const speechRateHz = 16_000;
export const samplesPerMs = speechRateHz / 1000;
/** A level is the loudest sample of each hundredth of a second. */
export const pointMs = 10;
export const pointSamples = pointMs * samplesPerMs;

/** The loudest sample of each whole hundredth of a second. */
export function pointLevels(samples: Float32Array): Float32Array {
  const levels = new Float32Array(Math.floor(samples.length / pointSamples));
  for (let point = 0; point < levels.length; point++) {
    let highest = 0;
    for (let index = point * pointSamples; index < (point + 1) * pointSamples; index++)
      highest = Math.max(highest, Math.abs(samples[index] ?? 0));
    levels[point] = highest;
  }
  return levels;
}

/** Half of the width over which levels are compared: 50 ms. */
const halfWidth = 5;

/** The middle of the quietest tenth of a second, in samples. The last one, if several are equally quiet. */
export function quietestSample(samples: Float32Array): number {
  const levels = pointLevels(samples);
  let quietest = Math.floor(samples.length / 2);
  let lowest = Infinity;
  for (let point = halfWidth; point + halfWidth < levels.length; point++) {
    let sum = 0;
    for (const level of levels.subarray(point - halfWidth, point + halfWidth + 1)) sum += level;
    if (sum > lowest) continue;
    lowest = sum;
    quietest = point * pointSamples;
  }
  return quietest;
}
