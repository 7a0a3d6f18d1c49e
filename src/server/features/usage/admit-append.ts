import type { Clock } from '#base/clock.ts';
import { minute, second } from '#base/duration.ts';
import { IdleMap } from '#base/idle-map.ts';
import { spreadReadAtMs } from '#base/spread-reads.ts';
import { largestTakeBytes, limits, qualities } from '#contract/limits.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { LandedBytes } from './landed-bytes.ts';
import type { Quota } from './quota.ts';

/** The bytes to append, and the facts of their recording. */
interface AppendOptions {
  ownerId: string;
  recordingId: string;
  isTake: boolean;
  /** The total size of a recording that is being restored from an export; null for any other. */
  announcedBytes: number | null;
  /** The start of a take according to its device, or its registration if that was earlier. */
  beganAtMs: number;
  sizeBytes: number;
}

/** Covers headers and a fast clock of the device. */
const slackMs = 10 * minute;
/** How long a sum from the database may be used. It does not include growing recordings. */
const sumUsedForMs = 10 * second;

/**
 * The maximum size of a take at this time after its start: twice what the highest quality produces, and never more
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
 * Reserves space for bytes before they are written. Call `release` if they were not written.
 * @throws too-large or quota-exceeded (413), storage-full (507)
 */
export interface AppendAdmission {
  admit(options: AppendOptions): Promise<{ release: () => void }>;
  /** Call when a recording no longer receives or was deleted. */
  forget(ownerId: string, recordingId: string): Promise<void>;
}

/**
 * The limits of appends: a take may be finished beyond the quota, but all of a user's recordings together exceed
 * it by at most one longest take.
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
  const sums = new IdleMap<string, Sum>({ idleMs: sumUsedForMs, nowMs: () => performance.now() });

  async function sumOf(ownerId: string): Promise<Sum> {
    const nowMs = performance.now();
    const known = sums.get(ownerId);
    if (known && nowMs - known.readAtMs < sumUsedForMs) return known;
    const readAtMs = spreadReadAtMs({ isFirst: known === undefined, nowMs, trustedMs: sumUsedForMs });
    const sum = { ...(await quota.countedOf(queries, ownerId)), readAtMs };
    sums.set(ownerId, sum);
    return sum;
  }

  return {
    async admit(options) {
      if (options.isTake) reserve.observe();
      else await reserve.admit(options.sizeBytes);
      const { usedBytes, quotaBytes } = await sumOf(options.ownerId);
      const { growing, uncounted } = await landed.growing(queries, options);
      // Runs synchronously from here to the count, so that of two concurrent appends the second includes the
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
