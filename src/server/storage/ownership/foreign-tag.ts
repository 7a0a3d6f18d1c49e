import type { Queries } from '#server/storage/database/database.ts';

/** Where in this list the first tag stands that is not this owner's; -1 where all of them are. */
export async function indexOfForeignTag(
  queries: Queries,
  ownerId: string,
  tagIds: readonly string[],
): Promise<number> {
  if (tagIds.length === 0) return -1;
  const own = await queries
    .selectFrom('tags')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('id', 'in', tagIds)
    .execute();
  const known = new Set(own.map(({ id }) => id));
  return tagIds.findIndex((id) => !known.has(id));
}
