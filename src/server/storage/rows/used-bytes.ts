import type { Queries } from '#server/storage/database/database.ts';
import { believableSum } from './believable.ts';

/**
 * Returns the bytes of the recordings and texts that these users store, by id, without growing recordings. Users who
 * store nothing may be missing.
 */
export async function usedBytesOf(
  queries: Queries,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const stored = await queries
    .selectFrom('recordings')
    .select(['owner_id', believableSum('stored_bytes').as('bytes')])
    .where('owner_id', 'in', userIds)
    .groupBy('owner_id')
    .execute();
  const texts = await queries
    .selectFrom('text_usage')
    .select(['user_id', 'text_bytes'])
    .where('user_id', 'in', userIds)
    .execute();
  const used = new Map(stored.map(({ owner_id: id, bytes }) => [id, Number(bytes ?? 0)]));
  for (const { user_id: id, text_bytes: bytes } of texts) used.set(id, (used.get(id) ?? 0) + bytes);
  return used;
}
