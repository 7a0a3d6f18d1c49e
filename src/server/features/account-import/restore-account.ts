import type { ExportedAccount } from '#contract/account-export.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { restoreTags } from './restore-tags.ts';
import type { AccountImportDeps } from './account-import-deps.ts';
import { alone } from './alone.ts';

interface RejectedItem {
  kind: 'tag' | 'view';
  name: string;
  reason: 'taken' | 'too-many' | 'query';
}
type ExportedView = ExportedAccount['views'][number];

async function restoreViews(
  deps: AccountImportDeps,
  queries: Queries,
  { ownerId, views }: { ownerId: string; views: readonly ExportedView[] },
): Promise<RejectedItem[]> {
  if (views.length === 0) return [];
  const there = await queries
    .selectFrom('saved_views')
    .select(['id', 'owner_id', 'created_at'])
    .where((eb) =>
      eb.or([
        eb('owner_id', '=', ownerId),
        eb(
          'id',
          'in',
          views.map(({ id }) => id),
        ),
      ]),
    )
    .execute();
  const ownerOf = new Map(there.map((row) => [row.id, row.owner_id]));
  const own = there.filter((row) => row.owner_id === ownerId);
  let count = own.length;
  // Views are sorted by `created_at`. Imported ones get increasing times after the existing ones, which preserves
  // their order.
  let atMs = Math.max(deps.clock.nowMs(), ...own.map((row) => row.created_at + 1));
  const rejected: RejectedItem[] = [];
  for (const { id, name, query } of views) {
    const reject = (reason: RejectedItem['reason']): void => {
      rejected.push({ kind: 'view', name, reason });
    };
    if (ownerOf.get(id) === ownerId) continue;
    if (ownerOf.has(id)) reject('taken');
    else if (!deps.isViewQuery(query)) reject('query');
    else if (count >= serverLimits.savedViews) reject('too-many');
    else {
      await queries
        .insertInto('saved_views')
        .values({ id, owner_id: ownerId, name, query, created_at: atMs })
        .execute();
      ownerOf.set(id, ownerId);
      [count, atMs] = [count + 1, atMs + 1];
    }
  }
  return rejected;
}

/** Restores tags and saved views without changing existing ones. Returns the rejected items. */
export async function restoreAccountOf(
  deps: AccountImportDeps,
  ownerId: string,
  { tags, views }: ExportedAccount,
): Promise<RejectedItem[]> {
  const rejected = await alone(deps, ownerId, async (transaction) => {
    const here = await restoreTags(transaction, { ownerId, nowMs: deps.clock.nowMs() }, tags);
    const rejectedTags = here.flatMap((tag, index): RejectedItem[] =>
      'rejected' in tag ? [{ kind: 'tag', name: tags[index]?.name ?? '', reason: tag.rejected }] : [],
    );
    return [...rejectedTags, ...(await restoreViews(deps, transaction, { ownerId, views }))];
  });
  deps.announce.libraryChanged(ownerId);
  return rejected;
}
