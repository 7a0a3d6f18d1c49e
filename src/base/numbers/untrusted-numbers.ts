import { hour, second } from '#base/duration.ts';

// Lengths, counts, timestamps and durations out of a file, a container or a request pass through here before
// anything is allocated, repeated, waited for or stored by them. What one file costs is bounded by the bytes
// it brings, never by what it claims.

/** The longest sound that any recording may have. */
export const longestSoundMs = 1000 * hour;

/**
 * No honest file holds a second of sound in fewer bytes: Opus at its emptiest (packets of two bytes and 120
 * ms) has 26 with its pages, codecs of radios 50 and more, FLAC of digital silence about as many.
 */
const leastBytesPerSecond = 10;

/** How much sound a file of this size can hold, whatever it says of itself. */
export const mostSoundMs = (sizeBytes: number): number =>
  Math.min(longestSoundMs, (sizeBytes / leastBytesPerSecond) * second);

// A bigint beyond 2^53 becomes a number beyond it too.
const isSafe = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

/**
 * A whole number within its limits; null for every other value, fractions and numbers beyond 2^53 included.
 */
export function wholeNumberWithin(
  value: unknown,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: { least?: number; most?: number } = {},
): number | null {
  const number = typeof value === 'bigint' ? Number(value) : value;
  return isSafe(number) && number >= least && number <= most ? number : null;
}

/** The nearest whole number within limits; `least` where there is no number at all. */
export function nearestWithin(value: number, { least, most }: { least: number; most: number }): number {
  return Number.isNaN(value) ? least : Math.round(Math.min(most, Math.max(least, value)));
}

/** How many entries a table has: as many as it claims, at most as many as its bytes can hold. */
export const boundedCount = (
  claimed: number,
  { leftBytes, bytesEach }: { leftBytes: number; bytesEach: number },
): number => Math.max(0, Math.min(claimed, Math.floor(leftBytes / bytesEach)));

/**
 * How long a file's sound lasts in whole milliseconds, by what it claims and by all else that is known of it:
 * the smallest counts, and never more than its bytes can hold. Null where it claims no length above zero.
 */
export function boundedDurationMs(
  claimedMs: number | null,
  { sizeBytes, packetsMs = Infinity }: { sizeBytes: number; packetsMs?: number },
): number | null {
  if (claimedMs === null || !(claimedMs > 0)) return null;
  return Math.round(Math.min(claimedMs, packetsMs, mostSoundMs(sizeBytes)));
}
