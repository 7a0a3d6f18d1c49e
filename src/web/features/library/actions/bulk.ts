import type { BulkAction } from '#contract/library-api.ts';
import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';

/** Applies an action to any number of the server's recordings, in batches of the API's limit. */
export async function doToMany(ids: readonly string[], action: BulkAction): Promise<void> {
  for (let from = 0; from < ids.length; from += limits.bulkRecordings) {
    await call('changeManyRecordings', {
      body: { ids: ids.slice(from, from + limits.bulkRecordings), action },
    });
  }
}

export interface TagChange {
  add: readonly string[];
  remove: readonly string[];
}

interface OneTag {
  tagId: string;
  ids: readonly string[];
  kind: 'add' | 'remove';
}

/**
 * The changes that undo a tag change. A recording that already had an added tag keeps it, and one that did not
 * have a removed tag does not get it.
 * @param hadBefore the recordings that had each tag before the change
 */
export function undoOf(
  ids: readonly string[],
  { add, remove }: TagChange,
  hadBefore: ReadonlyMap<string, ReadonlySet<string>>,
): OneTag[] {
  const added = add.map((tagId): OneTag => ({
    tagId,
    kind: 'remove',
    ids: ids.filter((id) => !hadBefore.get(tagId)?.has(id)),
  }));
  const removed = remove.map((tagId): OneTag => ({
    tagId,
    kind: 'add',
    ids: ids.filter((id) => hadBefore.get(tagId)?.has(id)),
  }));
  return [...added, ...removed].filter((one) => one.ids.length > 0);
}

/** The ids of the recordings outside the trash that have a tag. */
export async function idsWithTag(tagId: string): Promise<ReadonlySet<string>> {
  return new Set((await call('listRecordingIds', { query: { tag: tagId } })).ids);
}
