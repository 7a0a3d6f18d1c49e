import { hour, minute, second } from '#base/duration.ts';

// Lengths, counts, timestamps and durations from a file, a container or a request are validated here before they
// are used for allocation, loops, waits or storage. The cost of a file is bounded by its size, never by its
// claims.

/** The longest sound of any recording. */
export const maxSoundMs = 1000 * hour;

/**
 * No valid file stores a second of sound in fewer bytes: Opus at its emptiest (packets of two bytes and 120 ms)
 * has 26 including pages, radio codecs have 50 and more, FLAC of digital silence about as many.
 */
const minBytesPerSecond = 10;

/** The longest sound that a file of this size can contain, whatever it claims. */
export const maxSoundMsOf = (sizeBytes: number): number =>
  Math.min(maxSoundMs, (sizeBytes / minBytesPerSecond) * second);

/** Silence that any file may ask for. */
const freeSilenceMs = 10 * minute;
/** How much more silence than sound a file may ask for. */
const silencePerSound = 20;

/**
 * The most silence that the timestamps of a file may add to this much sound. Silence has no bytes, but whatever is
 * made of the file stores and sends it.
 */
export const maxSilenceMs = (soundMs: number): number => freeSilenceMs + silencePerSound * soundMs;

// A bigint beyond 2^53 becomes a number beyond it too.
const isSafe = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

/** A whole number within its limits; null for every other value, including fractions and numbers beyond 2^53. */
export function wholeNumberWithin(
  value: unknown,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): number | null {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return isSafe(number) && number >= min && number <= max ? number : null;
}

/** The nearest whole number within limits; `min` for NaN. */
export function nearestWithin(value: number, { min, max }: { min: number; max: number }): number {
  return Number.isNaN(value) ? min : Math.round(Math.min(max, Math.max(min, value)));
}

/** The number of entries of a table: as claimed, but at most as many as its bytes can hold. */
export const boundedCount = (
  claimed: number,
  { leftBytes, bytesEach }: { leftBytes: number; bytesEach: number },
): number => Math.max(0, Math.min(claimed, Math.floor(leftBytes / bytesEach)));

/**
 * The length of a file's sound in whole milliseconds: the smallest of its claim, its packets and the most that its
 * bytes can hold. Null if it claims no length above zero.
 */
export function boundedDurationMs(
  claimedMs: number | null,
  { sizeBytes, packetsMs = Infinity }: { sizeBytes: number; packetsMs?: number },
): number | null {
  if (claimedMs === null || !(claimedMs > 0)) return null;
  return Math.round(Math.min(claimedMs, packetsMs, maxSoundMsOf(sizeBytes)));
}
