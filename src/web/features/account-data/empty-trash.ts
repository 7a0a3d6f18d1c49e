import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';

export type OnPurged = (ids: readonly string[]) => Promise<void>;

/**
 * Permanently deletes everything in the trash on the server, in batches of as many as one call takes.
 * @param onPurged called with the ids of each batch, to delete other copies
 * @throws ApiError if the server rejects a call or cannot be reached; earlier batches are deleted
 */
export async function emptyTrash(onPurged: OnPurged): Promise<void> {
  const { ids } = await call('listRecordingIds', { query: { trashed: 'true' } });
  for (let from = 0; from < ids.length; from += limits.bulkRecordings) {
    const some = ids.slice(from, from + limits.bulkRecordings);
    await call('changeManyRecordings', { body: { ids: some, action: { kind: 'purge' } } });
    await onPurged(some);
  }
}
