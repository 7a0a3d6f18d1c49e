import { hour } from '#base/duration.ts';
import { peaksFormat, qualities, type Quality } from '#contract/limits.ts';

const bitsPerByte = 8;
/** Page headers: 37 bytes five times a second, 3 % of 48 kbit/s and less of more (RFC 3533 §6). */
const containerShare = 1.03;

/** How long a recording this device still has room for, in whole hours, never more than the browser promises. */
export function hoursThatFit(freeBytes: number, quality: Quality): number {
  const audioBytesPerHour = (qualities[quality].bitrateBps / bitsPerByte) * containerShare * (hour / 1000);
  const peaksBytesPerHour = peaksFormat.pointsPerSecond * peaksFormat.bytesPerPoint * (hour / 1000);
  return Math.max(0, Math.floor(freeBytes / (audioBytesPerHour + peaksBytesPerHour)));
}

/** What the browser says it would still store for this site, in bytes; null where it does not say. */
export async function freeBytesHere(): Promise<number | null> {
  const estimate = await navigator.storage?.estimate?.().catch(() => null);
  return estimate?.quota === undefined ? null : Math.max(0, estimate.quota - (estimate.usage ?? 0));
}
