import { limits } from '#contract/limits.ts';
import { call } from '#web/api/call.ts';

/**
 * Deletes for good all that lies in the trash on the server, as many at a time as one call takes.
 * @throws ApiError when the server refuses or cannot be reached; what was deleted until then is gone
 */
export async function emptyTrash(): Promise<void> {
  const { ids } = await call('listRecordingIds', { query: { trashed: 'true' } });
  for (let from = 0; from < ids.length; from += limits.bulkRecordings) {
    await call('changeManyRecordings', { body: { ids: ids.slice(from, from + limits.bulkRecordings), action: { kind: 'purge' } } });
  }
}
