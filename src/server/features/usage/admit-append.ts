import type { Clock } from '#base/clock.ts';
import { BatchedReads } from '#base/batched-reads.ts';
import { minute, second } from '#base/duration.ts';
import { RecentReads } from '#base/recent-reads.ts';
import { maxTakeBytes, limits, qualities } from '#contract/limits.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { reservedError, type DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { LandedBytes } from './landed-bytes.ts';
import type { Quota, QuotaUsage } from './quota.ts';

/** The bytes to append, and the facts of their recording. */
interface AppendOptions {
  ownerId: string;
  recordingId: string;
  isTake: boolean;
  /** The total size of a recording that is being restored from an export; null for any other. */
  announcedBytes: number | null;
  /** The start of a take according to its device, or its registration if that was earlier. */
  beganAtMs: number;
  /** When this server first saw the recording; null if that is unreadable. */
  registeredAtMs: number | null;
  sizeBytes: number;
}

/** Covers headers and a fast clock of the device. */
const slackMs = 10 * minute;
/** Covers the headers of a take and the sound of its first request. */
const liveSlackMs = minute;
/** How long a sum from the database may be used. It does not include growing recordings. */
const sumUsedForMs = 10 * second;

/**
 * The maximum size of a take of this duration: twice what the highest quality produces, and never more than the
 * longest take's.
 */
function maxBytesOfTake(durationMs: number): number {
  const countedMs = Math.min(limits.maxTakeMs, Math.max(0, durationMs));
  return Math.min(maxTakeBytes, Math.ceil((countedMs / second) * (qualities.high.bitrateBps / 8) * 2));
}

/** The most bytes of a recording, and the most that a live take has. Imports met quota and reserve before. */
function boundsAt(
  nowMs: number,
  { isTake, announcedBytes, beganAtMs, registeredAtMs }: AppendOptions,
): { maxBytes: number; liveBytes: number } {
  if (!isTake) return { maxBytes: announcedBytes ?? Infinity, liveBytes: Infinity };
  const registeredForMs = registeredAtMs === null ? null : Math.max(0, nowMs - registeredAtMs);
  return {
    maxBytes: maxBytesOfTake(Math.max(0, nowMs - beganAtMs) + slackMs),
    liveBytes: registeredForMs === null ? 0 : maxBytesOfTake(registeredForMs + liveSlackMs),
  };
}

/** @throws too-large or quota-exceeded (413), storage-full (507) */
function rejectBeyondBounds(
  options: AppendOptions,
  now: {
    landedBytes: number;
    usedBytes: number;
    quotaBytes: number | null;
    isReserveFree: boolean;
    nowMs: number;
  },
): void {
  const { maxBytes, liveBytes } = boundsAt(now.nowMs, options);
  if (now.landedBytes > maxBytes) throw new ProblemError('too-large');
  const isLive = now.landedBytes <= liveBytes;
  const limitBytes = now.quotaBytes ?? Infinity;
  const overBytes = now.usedBytes + options.sizeBytes - limitBytes;
  if (overBytes > (isLive ? maxTakeBytes : 0))
    throw new ProblemError('quota-exceeded', {
      errors: [{ pointer: '', code: 'quota-exceeded', params: { used: now.usedBytes, limit: limitBytes } }],
    });
  if (!now.isReserveFree && (!isLive || overBytes > 0)) throw reservedError();
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
 * The limits of appends. A live take has at most the bytes that can have been recorded since this server first saw it:
 * it uses the disk reserve while its owner is within the quota, and is finished beyond the quota while the reserve is
 * free. All of a user's recordings together exceed the quota by at most one longest take. The bytes of a take that was
 * recorded earlier follow the rules of imports: within the quota, and outside the reserve. Its device stores what the
 * server rejects, and tries again.
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
  const sums = new RecentReads<string, QuotaUsage>({ idleMs: minute, nowMs: () => performance.now() });
  const counted = new BatchedReads<QuotaUsage>((ownerIds) => quota.countedOf(queries, ownerIds));

  async function readSum(ownerId: string): Promise<QuotaUsage> {
    const usage = await counted.read(ownerId);
    if (usage === undefined) throw new Error('no sum of this user');
    return usage;
  }

  return {
    async admit(options) {
      const { isTake, sizeBytes } = options;
      if (!isTake) await reserve.admit(sizeBytes);
      const disk = isTake ? await reserve.measured() : null;
      const { usedBytes, quotaBytes } = await sums.getTogether(options.ownerId, {
        trustedMs: sumUsedForMs,
        read: readSum,
      });
      const { growing, uncounted } = await landed.growing(queries, options);
      // Runs synchronously from here to the count, so that of two concurrent appends the second includes the
      // first.
      rejectBeyondBounds(options, {
        landedBytes: growing.landedBytes + sizeBytes,
        usedBytes: usedBytes + uncounted(),
        quotaBytes,
        isReserveFree: disk?.isFree() ?? true,
        nowMs: clock.nowMs(),
      });
      disk?.count(sizeBytes);
      growing.landedBytes += sizeBytes;
      return {
        release: () => {
          growing.landedBytes -= sizeBytes;
        },
      };
    },
    async forget(ownerId, recordingId) {
      sums.forget(ownerId);
      await landed.forget(ownerId, recordingId);
    },
  };
}
