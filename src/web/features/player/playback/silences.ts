import type { SoundSelection } from '#web/features/player/engine/selection.ts';

/** How long one point of the finest peaks is. */
const pointMs = 10;
/** Shorter pauses belong to speaking. */
const shortestMs = 600;
/** Silence that is left at both sides, so that words keep their beginnings and ends. */
const paddingMs = 150;
/** Louder than this is never silence, however loud the room: 8 of 128 is −24 dB. */
const loudestThreshold = 8;
/** Rounding alone makes 1 of nothing. */
const quietestThreshold = 2;
/**
 * A room is about as loud as the quietest tenth of what was recorded in it; twice that (+6 dB) is still the
 * room.
 */
const noiseFloorShare = 0.1;
const noiseFloorFactor = 2;

const loudnessAt = (points: Int8Array, point: number): number =>
  Math.max(-(points[point * 2] ?? 0), points[point * 2 + 1] ?? 0, 0);

/** The loudness (0 to 128, as in the peaks) up to which a recording is silent, from how loud its room is. */
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
 * The stretches that can be jumped over: at least 600 ms no louder than the threshold, less 150 ms at each
 * side; at the beginning and the end of the recording nothing is kept on the outer side.
 * @param points lowest, highest, lowest, highest … of every hundredth of a second
 */
export function silencesOf(points: Int8Array, threshold = silenceThreshold(points)): SoundSelection[] {
  const count = points.length >> 1;
  const found: SoundSelection[] = [];
  let start = 0;
  for (let point = 0; point <= count; point += 1) {
    if (point < count && loudnessAt(points, point) <= threshold) continue;
    const [fromMs, toMs] = [start * pointMs, point * pointMs];
    if (toMs - fromMs >= shortestMs)
      found.push({
        fromMs: start === 0 ? 0 : fromMs + paddingMs,
        toMs: point === count ? toMs : toMs - paddingMs,
      });
    start = point + 1;
  }
  return found;
}

/** How much is not heard when all of it is jumped over, in milliseconds. */
export const silenceLengthOf = (silences: readonly SoundSelection[]): number =>
  silences.reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0);
