import { afterEach, expect, test, vi } from 'vitest';
import { second } from '#base/duration.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { storeRecording, storeUpload, storeUser } from '#tests/support/factories.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { createUploadRegister } from './upload-register.ts';
import { createUploadsStore } from './uploads-store.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('uploads that are in use are checked again together, within five seconds', async () => {
  const database = await freshDatabase();
  const { queries } = database;
  const blobs = new MemoryBlobStore({ hasOtherWriters: true });
  const { id: ownerId } = await storeUser(queries);
  const ids: string[] = [];
  for (let take = 0; take < 40; take += 1) {
    const { id: recordingId } = await storeRecording(queries, { owner_id: ownerId, state: 'receiving' });
    ids.push((await storeUpload(queries, { recording_id: recordingId })).id);
    await blobs.create(blobKeyOf({ recordingId, stream: 'audio', index: 0 }));
  }
  const select = vi.spyOn(queries, 'selectFrom');
  const register = createUploadRegister({ store: createUploadsStore(database), blobs });
  vi.useFakeTimers({ toFake: ['performance'] });
  const states = (): Promise<(string | undefined)[]> =>
    Promise.all(
      ids.map((id) =>
        register.withEntry(
          id,
          (entry) => Promise.resolve(entry?.recordingState),
          () => true,
        ),
      ),
    );
  await states();
  select.mockClear();
  await states();
  expect(select).not.toHaveBeenCalled();
  await queries.updateTable('recordings').set({ state: 'ready' }).execute();
  for (let passedMs = 0; passedMs < 5 * second; passedMs += 100) {
    vi.advanceTimersByTime(100);
    await states();
  }
  expect(select.mock.calls.length).toBeLessThanOrEqual(4);
  expect(new Set(await states())).toEqual(new Set(['ready']));
});
