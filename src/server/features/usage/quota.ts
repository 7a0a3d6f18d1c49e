import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { LandedBytes } from './landed-bytes.ts';
import { countedBytesOf } from '#server/storage/rows/used-bytes.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { AdmitText } from '#server/storage/rows/admit-text.ts';

/** The bytes that a user stores, and the limit; null if unlimited. */
export interface QuotaUsage {
  usedBytes: number;
  quotaBytes: number | null;
}

export interface Quota {
  /** Of each user, without growing recordings: see `LandedBytes`. Unknown users store nothing. */
  countedOf: (queries: Queries, ownerIds: readonly string[]) => Promise<ReadonlyMap<string, QuotaUsage>>;
  usageOf: (queries: Queries, ownerId: string) => Promise<QuotaUsage>;
  /**
   * Checks an import before its bytes are sent. Call it in the transaction that registers it.
   * @throws too-large or quota-exceeded (413), storage-full (507)
   */
  admitImport: (queries: Queries, ownerId: string, sizeBytes: number) => Promise<void>;
  /**
   * Checks that there is space for bytes. Call it in the transaction that takes the space.
   * @throws quota-exceeded (413), storage-full (507)
   */
  admitBytes: (
    queries: Queries,
    ownerId: string,
    wanted: { sizeBytes: number; pointer: string },
  ) => Promise<void>;
  admitText: AdmitText;
}

const textBytesOfUser = async (queries: Queries, userId: string): Promise<number> =>
  (
    await queries
      .selectFrom('text_usage')
      .select('text_bytes')
      .where('user_id', '=', userId)
      .executeTakeFirst()
  )?.text_bytes ?? 0;

const tooMuchText = (largest: number): ProblemError =>
  new ProblemError('too-much-text', {
    errors: [{ pointer: '/text', code: 'too-much-text', params: { largest } }],
  });

/**
 * Creates the quota checks.
 * @param options.defaultBytes the quota of users without their own; null for no limit
 */
export function createQuota(
  { dialect }: Pick<Database, 'dialect'>,
  {
    defaultBytes,
    landed,
    reserve,
  }: { defaultBytes: number | null; landed: LandedBytes; reserve: Pick<DiskReserve, 'check'> },
): Quota {
  const countedOf: Quota['countedOf'] = async (queries, ownerIds) => {
    const counted = await countedBytesOf(queries, ownerIds);
    return new Map(
      ownerIds.map((id) => {
        const { usedBytes = 0, quotaBytes = null } = counted.get(id) ?? {};
        return [id, { usedBytes, quotaBytes: quotaBytes ?? defaultBytes }];
      }),
    );
  };

  const overQuota = ({ usedBytes, quotaBytes }: QuotaUsage, pointer: string): ProblemError =>
    new ProblemError('quota-exceeded', {
      errors: [{ pointer, code: 'quota-exceeded', params: { used: usedBytes, limit: quotaBytes ?? 0 } }],
    });

  async function usageOf(queries: Queries, ownerId: string): Promise<QuotaUsage> {
    const [usage] = (await countedOf(queries, [ownerId])).values();
    if (usage === undefined) throw new Error('no sum of this user');
    return { ...usage, usedBytes: usage.usedBytes + (await landed.uncountedOf(queries, ownerId)) };
  }

  const admitBytes: Quota['admitBytes'] = async (queries, ownerId, { sizeBytes, pointer }) => {
    // Lets one registration per user run at a time, so that two files are not both admitted if only one of them
    // fits.
    if (dialect === 'postgres')
      await queries.selectFrom('users').select('id').where('id', '=', ownerId).forUpdate().executeTakeFirst();
    const usage = await usageOf(queries, ownerId);
    if (usage.quotaBytes !== null && usage.usedBytes + sizeBytes > usage.quotaBytes)
      throw overQuota(usage, pointer);
    await reserve.check(sizeBytes);
  };

  const admitText: AdmitText = async (queries, { recordingId, ownerId, mayExceedQuota = false }) => {
    const recording = await queries
      .selectFrom('recordings')
      .select('text_bytes')
      .where('id', '=', recordingId)
      .executeTakeFirst();
    if ((recording?.text_bytes ?? 0) > serverLimits.textBytesPerRecording)
      throw tooMuchText(serverLimits.textBytesPerRecording);
    if ((await textBytesOfUser(queries, ownerId)) > serverLimits.textBytesPerUser)
      throw tooMuchText(serverLimits.textBytesPerUser);
    if (mayExceedQuota) return;
    const usage = await usageOf(queries, ownerId);
    if (usage.quotaBytes !== null && usage.usedBytes > usage.quotaBytes) throw overQuota(usage, '/text');
  };

  return {
    countedOf,
    usageOf,
    admitBytes,
    admitText,
    async admitImport(queries, ownerId, sizeBytes) {
      const largest = limits.import.maxBytes;
      const pointer = '/file/sizeBytes';
      if (sizeBytes > largest)
        throw new ProblemError('too-large', {
          errors: [{ pointer, code: 'too-large', params: { largest } }],
        });
      await admitBytes(queries, ownerId, { sizeBytes, pointer });
    },
  };
}
