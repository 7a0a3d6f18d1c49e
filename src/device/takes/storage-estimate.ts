import { hour, minute } from '#base/duration.ts';
import { peaksFormat, qualities, type Quality } from '#contract/limits.ts';

const bitsPerByte = 8;
/** Page headers: 37 bytes five times a second, 3 % of 48 kbit/s and less of more (RFC 3533 §6). */
const containerShare = 1.03;

/**
 * How many milliseconds of recording fit on this device, rounded down so as never to exceed the browser's
 * estimate.
 */
function msThatFit(freeBytes: number, quality: Quality): number {
  const audioBytesPerHour = (qualities[quality].bitrateBps / bitsPerByte) * containerShare * (hour / 1000);
  const peaksBytesPerHour = peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint * (hour / 1000);
  return Math.max(0, Math.floor((hour * freeBytes) / (audioBytesPerHour + peaksBytesPerHour)));
}

/** How many whole hours of recording fit on this device. */
export function hoursThatFit(freeBytes: number, quality: Quality): number {
  return Math.floor(msThatFit(freeBytes, quality) / hour);
}

/**
 * `some`: under ten hours, shown as a hint before a take. `little`: under an hour. `almost-none`: under a quarter
 * of an hour.
 */
export interface FreeSpace {
  leftMs: number;
  urgency: 'enough' | 'some' | 'little' | 'almost-none';
}

/** How much space is left and how urgent that is; null if the browser does not report it. */
export function spaceOf(freeBytes: number | null, quality: Quality): FreeSpace | null {
  if (freeBytes === null) return null;
  const leftMs = msThatFit(freeBytes, quality);
  if (leftMs >= 10 * hour) return { leftMs, urgency: 'enough' };
  if (leftMs >= hour) return { leftMs, urgency: 'some' };
  return { leftMs, urgency: leftMs >= 15 * minute ? 'little' : 'almost-none' };
}

/**
 * The browser's storage estimate for this site; fields are null if the browser does not report them. Its `usage`
 * is never displayed: it includes reserved space, and after a kill it can be wrong by 4 GB (decision 0078).
 */
export interface StorageEstimate {
  freeBytes: number | null;
  /** Whether the browser has promised not to delete data automatically. */
  isPersisted: boolean | null;
}

/** Reads how many more bytes this site may store; null if the browser does not report it. */
export async function readFreeBytes(): Promise<number | null> {
  const estimate = await navigator.storage?.estimate?.().catch(() => null);
  return estimate?.quota === undefined ? null : Math.max(0, estimate.quota - (estimate.usage ?? 0));
}

export async function readStorageEstimate(): Promise<StorageEstimate> {
  const [freeBytes, isPersisted] = await Promise.all([
    readFreeBytes(),
    navigator.storage?.persisted?.().catch(() => null),
  ]);
  return { freeBytes, isPersisted: isPersisted ?? null };
}
