import type { SoundSelection } from '#playback/playback-state.ts';

/** Duration of a point of the finest peaks. */
const pointMs = 10;
/** Shorter pauses are part of normal speech. */
const minMs = 600;
/** Silence kept on both sides, so that the first and last sounds of words are not cut. */
const paddingMs = 150;
/** Anything louder is never silence, however noisy the room: 8 of 128 is −24 dB. */
const loudestThreshold = 8;
/** Rounding alone can turn 0 into 1. */
const quietestThreshold = 2;
/**
 * The noise floor is the level of the quietest tenth of a recording; up to twice that (+6 dB) still counts as room
 * noise.
 */
const noiseFloorShare = 0.1;
const noiseFloorFactor = 2;

const loudnessAt = (points: Int8Array, point: number): number =>
  Math.max(-(points[point * 2] ?? 0), points[point * 2 + 1] ?? 0, 0);

/** The loudness (0 to 128, as in the peaks) up to which a recording is silent, derived from its noise floor. */
export function silenceThreshold(points: Int8Array): number {
  const counts = new Uint32Array(129);
  const count = points.length >> 1;
  for (let point = 0; point < count; point += 1) {
    const loudness = loudnessAt(points, point);
    counts[loudness] = (counts[loudness] ?? 0) + 1;
  }
  let [noiseFloor, seen] = [0, counts[0] ?? 0];
  while (noiseFloor < 128 && seen < count * noiseFloorShare) {
    noiseFloor += 1;
    seen += counts[noiseFloor] ?? 0;
  }
  return Math.min(Math.max(noiseFloor * noiseFloorFactor, quietestThreshold), loudestThreshold);
}

/**
 * The ranges to skip: at least 600 ms no louder than the threshold, less 150 ms of padding on each side. At the
 * start and end of the recording there is no outer padding.
 * @param points pairs of minimum and maximum, one pair per hundredth of a second
 */
export function silencesOf(points: Int8Array, threshold = silenceThreshold(points)): SoundSelection[] {
  const count = points.length >> 1;
  const found: SoundSelection[] = [];
  let start = 0;
  for (let point = 0; point <= count; point += 1) {
    if (point < count && loudnessAt(points, point) <= threshold) continue;
    const [fromMs, toMs] = [start * pointMs, point * pointMs];
    if (toMs - fromMs >= minMs)
      found.push({
        fromMs: start === 0 ? 0 : fromMs + paddingMs,
        toMs: point === count ? toMs : toMs - paddingMs,
      });
    start = point + 1;
  }
  return found;
}

/** Total length of the ranges, in milliseconds. */
export const silenceLengthOf = (silences: readonly SoundSelection[]): number =>
  silences.reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0);
