import { foldForSearch } from '#base/text.ts';
import type { ExportedAccount } from '#contract/account-export.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { wordColumnsOf } from '#server/storage/search/text-words.ts';

type ExportedTag = ExportedAccount['tags'][number];
/** The id of the local tag for one of an export, or the reason why it was rejected. */
export type LocalTag = { id: string } | { rejected: 'taken' | 'too-many' };

/** The form in which names are compared. A name without letters is compared as it is. */
const keyOf = (name: string): string => foldForSearch(name) || name;

/**
 * Ensures that a user has these tags: under their own ids, or as the existing tag with the same name. Runs in the
 * caller's transaction.
 */
export async function restoreTags(
  queries: Queries,
  { ownerId, nowMs }: { ownerId: string; nowMs: number },
  tags: readonly ExportedTag[],
): Promise<LocalTag[]> {
  if (tags.length === 0) return [];
  const own = await queries
    .selectFrom('tags')
    .select(['id', 'name_folded'])
    .where('owner_id', '=', ownerId)
    .execute();
  const elsewhere = await queries
    .selectFrom('tags')
    .select('id')
    .where(
      'id',
      'in',
      tags.map(({ id }) => id),
    )
    .where('owner_id', '!=', ownerId)
    .execute();
  const ids = new Set(own.map(({ id }) => id));
  const byName = new Map(own.map(({ id, name_folded: key }) => [key, id]));
  const taken = new Set(elsewhere.map(({ id }) => id));
  const here: LocalTag[] = [];
  for (const { id, name, colour } of tags) {
    const known = ids.has(id) ? id : byName.get(keyOf(name));
    if (known !== undefined) here.push({ id: known });
    else if (taken.has(id)) here.push({ rejected: 'taken' });
    else if (ids.size >= serverLimits.tags) here.push({ rejected: 'too-many' });
    else {
      await queries
        .insertInto('tags')
        .values({
          id,
          owner_id: ownerId,
          name,
          name_folded: keyOf(name),
          colour,
          created_at: nowMs,
          ...wordColumnsOf(name),
        })
        .execute();
      ids.add(id);
      byName.set(keyOf(name), id);
      here.push({ id });
    }
  }
  return here;
}
