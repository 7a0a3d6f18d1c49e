import { pointLevels, pointMs, samplesPerMs } from './point-levels.ts';

/** A word and when it is spoken, in milliseconds from the start of the sound. */
export interface SpokenWord {
  fromMs: number;
  toMs: number;
  text: string;
}

/** Runs of sound that are at most this many points apart are one: 60 ms. */
const joinedPoints = 6;
/** How much louder than the noise sound is. */
const aboveNoise = 2.5;
/** Quieter sound (−50 dB) is no speech. */
const minSpeechAmplitude = 0.003;

/** The longest run of sound between two points, as the first and the last point; null if all is quiet. */
function soundIn(
  levels: Float32Array,
  { from, to, floor }: { from: number; to: number; floor: number },
): readonly [number, number] | null {
  let longest: readonly [number, number] | null = null;
  let run: readonly [number, number] | null = null;
  for (let point = from; point < to; point++) {
    if ((levels[point] ?? 0) <= floor) continue;
    run = run !== null && point - run[1] <= joinedPoints ? [run[0], point] : [point, point];
    if (longest === null || run[1] - run[0] > longest[1] - longest[0]) longest = run;
  }
  return longest;
}

/** The level above which a point is sound: above the noise, which is the quietest tenth. */
function floorOf(levels: Float32Array): number {
  const quiet = levels.toSorted().subarray(0, Math.max(1, Math.floor(levels.length / 10)));
  const noise = quiet.reduce((sum, level) => sum + level, 0) / Math.max(1, quiet.length);
  return Math.max(noise * aboveNoise, minSpeechAmplitude);
}

/** Moves the ends of a word to its sound. */
function trimmed(word: SpokenWord, levels: Float32Array, floor: number): SpokenWord {
  const from = Math.floor(word.fromMs / pointMs);
  const run = soundIn(levels, { from, to: Math.max(Math.ceil(word.toMs / pointMs), from + 1), floor });
  if (run === null) return word;
  const fromMs = Math.max(word.fromMs, run[0] * pointMs);
  return { ...word, fromMs, toMs: Math.max(fromMs, Math.min(word.toMs, (run[1] + 1) * pointMs)) };
}

/**
 * Moves the ends of words to their sound, because engines let a word start where the one before it ends. The result
 * is in order and within the sound. Words without sound of their own stay where they are.
 * @param samples at 16 kHz
 */
export function trimWords(words: readonly SpokenWord[], samples: Float32Array): SpokenWord[] {
  const levels = pointLevels(samples);
  const floor = floorOf(levels);
  const lengthMs = samples.length / samplesPerMs;
  let earliestMs = 0;
  return words.map((word) => {
    const fromMs = Math.min(lengthMs, Math.max(earliestMs, word.fromMs));
    const toMs = Math.min(lengthMs, Math.max(fromMs, word.toMs));
    const result = trimmed({ ...word, fromMs, toMs }, levels, floor);
    earliestMs = result.toMs;
    return result;
  });
}
