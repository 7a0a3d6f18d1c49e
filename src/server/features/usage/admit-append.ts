import type { Clock } from '#base/clock.ts';
import { minute, second } from '#base/duration.ts';
import { largestTakeBytes, limits, qualities } from '#contract/limits.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { LandedBytes } from './landed-bytes.ts';
import type { Quota } from './quota.ts';

/** Bytes that are about to be appended, and what is known of their recording. */
interface AppendOptions {
  ownerId: string;
  recordingId: string;
  isTake: boolean;
  /** Of a recording that is being restored; null for any other. */
  announcedBytes: number | null;
  /** When a take began by its device's word, or was registered, whichever was first. */
  beganAtMs: number;
  sizeBytes: number;
}

/** Headers, and a clock of the device that is ahead. */
const slackMs = 10 * minute;
/** How long a sum that the database made may be used: nothing that grows is in it. */
const sumUsedForMs = 10 * second;

/**
 * The most that a take may hold so long after it began: twice what the highest quality makes, and never more
 * than the longest take's.
 */
function longestBytesOfTake(beganAtMs: number, nowMs: number): number {
  const elapsedMs = Math.min(limits.longestTakeMs, Math.max(0, nowMs - beganAtMs) + slackMs);
  return Math.min(largestTakeBytes, Math.ceil((elapsedMs / second) * (qualities.high.bitrateBps / 8) * 2));
}

interface Sum {
  usedBytes: number;
  quotaBytes: number | null;
  readAtMs: number;
}

/**
 * Takes space for bytes before they are written: too-large or quota-exceeded (413), storage-full (507) where
 * there is none. Give it back by `release` where they were not written.
 */
export interface AppendAdmission {
  admit(options: AppendOptions): Promise<{ release: () => void }>;
  /** A recording no longer receives, or is gone. */
  forget(ownerId: string, recordingId: string): Promise<void>;
}

/**
 * The rules of how much may land: a take is finished beyond the quota, and one longest take is all that
 * anybody has beyond it.
 */
export function createAppendAdmission({
  queries,
  clock,
  landed,
  quota,
  reserve,
}: {
  queries: Queries;
  clock: Clock;
  landed: LandedBytes;
  quota: Pick<Quota, 'countedOf'>;
  reserve: DiskReserve;
}): AppendAdmission {
  const sums = new Map<string, Sum>();

  async function sumOf(ownerId: string): Promise<Sum> {
    const nowMs = performance.now();
    const known = sums.get(ownerId);
    if (known && nowMs - known.readAtMs < sumUsedForMs) return known;
    if (sums.size > 4096) sums.clear();
    const sum = { ...(await quota.countedOf(queries, ownerId)), readAtMs: nowMs };
    sums.set(ownerId, sum);
    return sum;
  }

  return {
    async admit(options) {
      if (options.isTake) reserve.observe();
      else await reserve.admit(options.sizeBytes);
      const { usedBytes, quotaBytes } = await sumOf(options.ownerId);
      const { growing, uncounted } = await landed.growing(queries, options);
      // From here to the count nothing is waited for: of two appends of one moment, the second sees the
      // first.
      const { isTake, announcedBytes, beganAtMs, sizeBytes } = options;
      const longestBytes =
        announcedBytes ?? (isTake ? longestBytesOfTake(beganAtMs, clock.nowMs()) : Infinity);
      if (growing.landedBytes + sizeBytes > longestBytes) throw new ProblemError('too-large');
      const used = usedBytes + uncounted();
      if (quotaBytes !== null && used + sizeBytes > quotaBytes + largestTakeBytes) {
        throw new ProblemError('quota-exceeded', {
          errors: [{ pointer: '', code: 'quota-exceeded', params: { used, limit: quotaBytes } }],
        });
      }
      growing.landedBytes += sizeBytes;
      return {
        release: () => {
          growing.landedBytes -= sizeBytes;
        },
      };
    },
    async forget(ownerId, recordingId) {
      sums.delete(ownerId);
      await landed.forget(ownerId, recordingId);
    },
  };
}
