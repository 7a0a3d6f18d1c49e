import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';

export type OnPurged = (ids: readonly string[]) => Promise<void>;

/**
 * Deletes for good all that lies in the trash on the server, as many at a time as one call takes.
 * @param onPurged is told what is gone, so that nothing of it stays elsewhere
 * @throws ApiError when the server refuses or cannot be reached; what was deleted until then is gone
 */
export async function emptyTrash(onPurged: OnPurged): Promise<void> {
  const { ids } = await call('listRecordingIds', { query: { trashed: 'true' } });
  for (let from = 0; from < ids.length; from += limits.bulkRecordings) {
    const some = ids.slice(from, from + limits.bulkRecordings);
    await call('changeManyRecordings', { body: { ids: some, action: { kind: 'purge' } } });
    await onPurged(some);
  }
}
