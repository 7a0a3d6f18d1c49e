import { hour, minute } from '#base/duration.ts';
import { peaksFormat, qualities, type Quality } from '#contract/limits.ts';

const bitsPerByte = 8;
/** Page headers: 37 bytes five times a second, 3 % of 48 kbit/s and less of more (RFC 3533 §6). */
const containerShare = 1.03;

/**
 * How long a recording this device still has room for, in milliseconds, never more than the browser promises.
 */
function msThatFit(freeBytes: number, quality: Quality): number {
  const audioBytesPerHour = (qualities[quality].bitrateBps / bitsPerByte) * containerShare * (hour / 1000);
  const peaksBytesPerHour = peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint * (hour / 1000);
  return Math.max(0, Math.floor((hour * freeBytes) / (audioBytesPerHour + peaksBytesPerHour)));
}

/** How long a recording this device still has room for, in whole hours. */
export function hoursThatFit(freeBytes: number, quality: Quality): number {
  return Math.floor(msThatFit(freeBytes, quality) / hour);
}

/**
 * `some`: worth a quiet word before a take; `little`: under an hour; `almost-none`: under a quarter of an
 * hour.
 */
export interface FreeSpace {
  leftMs: number;
  urgency: 'enough' | 'some' | 'little' | 'almost-none';
}

/** How much room there is and how much should be made of it; null where the browser does not say. */
export function spaceOf(freeBytes: number | null, quality: Quality): FreeSpace | null {
  if (freeBytes === null) return null;
  const leftMs = msThatFit(freeBytes, quality);
  if (leftMs >= 10 * hour) return { leftMs, urgency: 'enough' };
  if (leftMs >= hour) return { leftMs, urgency: 'some' };
  return { leftMs, urgency: leftMs >= 15 * minute ? 'little' : 'almost-none' };
}

/**
 * What the browser says about storage for this site; null where it does not say. Its usage is no figure for the
 * screen: it counts reserved space too, and after a kill it can be 4 GB off (decision 0078).
 */
export interface StorageEstimate {
  freeBytes: number | null;
  /** The browser has promised to delete nothing by itself. */
  isPersisted: boolean | null;
}

/** Reads how much more this site may store, in bytes; null where the browser does not say. */
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
