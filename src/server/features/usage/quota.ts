import { limits } from '#contract/limits.ts';
import { ProblemError } from '../../http/problem.ts';
import { believableSum } from '../../storage/believable/believable.ts';
import type { Database, Queries } from '../../storage/database/database.ts';

/** How much somebody stores, and how much they may: null where there is no limit. */
export interface Room { usedBytes: number; quotaBytes: number | null }

export interface Quota {
  usageOf: (queries: Queries, ownerId: string) => Promise<Room>;
  /** Refuses the import of a file before its bytes are sent: too-large or quota-exceeded (413). Call it in the transaction that registers it. */
  admitImport: (queries: Queries, ownerId: string, sizeBytes: number) => Promise<void>;
  /** Refuses bytes for which there is no room: quota-exceeded (413). Call it in the transaction that takes the room. */
  admitBytes: (queries: Queries, ownerId: string, asked: { sizeBytes: number; pointer: string }) => Promise<void>;
}

async function usedBytesOf(queries: Queries, ownerId: string): Promise<number> {
  const { used } = await queries.selectFrom('recordings').select(believableSum('stored_bytes').as('used')).where('owner_id', '=', ownerId).executeTakeFirstOrThrow();
  return Number(used ?? 0);
}

/**
 * Who may store how much.
 * @param defaultBytes what holds for whoever was given nothing else; null where that is no limit
 */
export function createQuota({ dialect }: Pick<Database, 'dialect'>, defaultBytes: number | null): Quota {
  async function usageOf(queries: Queries, ownerId: string): Promise<Room> {
    const own = await queries.selectFrom('quotas').select('quota_bytes').where('user_id', '=', ownerId).executeTakeFirst();
    return { usedBytes: await usedBytesOf(queries, ownerId), quotaBytes: own === undefined ? defaultBytes : own.quota_bytes };
  }

  const admitBytes: Quota['admitBytes'] = async (queries, ownerId, { sizeBytes, pointer }) => {
    // Two files that each have room must not both be let in where only one has: one registration of a person at a time.
    if (dialect === 'postgres') await queries.selectFrom('users').select('id').where('id', '=', ownerId).forUpdate().executeTakeFirst();
    const { usedBytes, quotaBytes } = await usageOf(queries, ownerId);
    if (quotaBytes === null || usedBytes + sizeBytes <= quotaBytes) return;
    throw new ProblemError('quota-exceeded', { errors: [{ pointer, code: 'quota-exceeded', params: { used: usedBytes, limit: quotaBytes } }] });
  };

  return {
    usageOf, admitBytes,
    async admitImport(queries, ownerId, sizeBytes) {
      const largest = limits.import.largestBytes;
      const pointer = '/file/sizeBytes';
      if (sizeBytes > largest) throw new ProblemError('too-large', { errors: [{ pointer, code: 'too-large', params: { largest } }] });
      await admitBytes(queries, ownerId, { sizeBytes, pointer });
    },
  };
}
