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

test('uploads that continue together after a restart are checked again at different times, and each within five seconds', async () => {
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
  const store = createUploadsStore(database);
  const find = vi.spyOn(store, 'find');
  const register = createUploadRegister({ store, blobs });
  vi.useFakeTimers({ toFake: ['performance'] });
  const checkedNow = async (): Promise<number> => {
    find.mockClear();
    await Promise.all(
      ids.map((id) =>
        register.withEntry(
          id,
          () => Promise.resolve(),
          () => true,
        ),
      ),
    );
    return find.mock.calls.length;
  };
  expect(await checkedNow()).toBe(40);
  expect(await checkedNow()).toBe(0);
  vi.advanceTimersByTime(2.5 * second);
  const early = await checkedNow();
  expect(early).toBeGreaterThan(0);
  expect(early).toBeLessThan(40);
  vi.advanceTimersByTime(2.5 * second);
  expect(await checkedNow()).toBe(40 - early);
});
