import type { Queries } from '#server/storage/database/database.ts';
import { isOneOf, prepared } from '#server/storage/database/prepared.ts';
import { believableCount, believableSum } from './believable.ts';

interface CountedBytes {
  /** Of recordings and texts, without growing recordings. */
  usedBytes: number;
  /** Null for users without a quota of their own. */
  quotaBytes: number | null;
}

/** Returns the bytes that these users store, and their quotas, by id, in one statement. Unknown users are missing. */
export async function countedBytesOf(
  queries: Queries,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, CountedBytes>> {
  const rows = await queries
    .selectFrom('users')
    .leftJoin('text_usage', 'text_usage.user_id', 'users.id')
    .leftJoin('quotas', 'quotas.user_id', 'users.id')
    .select((eb) => [
      'users.id',
      'text_usage.text_bytes',
      'quotas.quota_bytes',
      eb
        .selectFrom('recordings')
        .select(believableSum('stored_bytes').as('bytes'))
        .whereRef('recordings.owner_id', '=', 'users.id')
        .as('stored_bytes'),
    ])
    .where((eb) => isOneOf(queries, eb.ref('users.id'), userIds))
    .modifyEnd(prepared)
    .execute();
  return new Map(
    rows.map(({ id, stored_bytes: stored, text_bytes: texts, quota_bytes: quota }) => [
      id,
      {
        usedBytes: Number(stored ?? 0) + (texts ?? 0),
        quotaBytes: quota === null ? null : believableCount(quota),
      },
    ]),
  );
}
