import { second } from '#base/duration.ts';

const maxPauseMs = 30 * second;

/**
 * Returns how long to wait after a scan of all blobs with rows, in milliseconds: at least `minMs`, and so long that
 * scans take one part in `parts` of a core of the database. A scan takes as long as there are such blobs, and every
 * server scans. At most 30 seconds, so that a scan that was slow by chance delays nothing for long.
 */
export const pauseAfterScanMs = (
  tookMs: number,
  { minMs, parts }: { minMs: number; parts: number },
): number => Math.max(minMs, Math.min(maxPauseMs, tookMs * parts));
