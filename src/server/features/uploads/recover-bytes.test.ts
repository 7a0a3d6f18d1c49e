import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BlobStore, noteLagBytes } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import {
  append,
  apiOnSqlite,
  apiUnderTest,
  complete,
  openUpload,
  registerTake,
  startTake,
} from '#tests/support/api-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { asSound } from '#tests/support/sound-bytes.ts';

/** A folder for a store, and a function that opens it as one more process would. */
async function onFolder(): Promise<() => Promise<BlobStore>> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-recover-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return async () => {
    const store = await openDiskBlobStore({ directory });
    onTestFinished(() => store.close());
    return store;
  };
}

const onDisk = async (): Promise<BlobStore> => (await onFolder())();

/** The same store; `readBytes` counts what is read of it. */
function counted(store: BlobStore): { store: BlobStore; readBytes: () => number } {
  let bytes = 0;
  return {
    store: new Proxy(store, {
      get(target, name: keyof BlobStore) {
        if (name === 'stream')
          return (...[key, range]: Parameters<BlobStore['stream']>) => {
            bytes += range.endByteExclusive - range.startByte;
            return target.stream(key, range);
          };
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    }),
    readBytes: () => bytes,
  };
}

const pieceBytes = 50_000;

describe.each([
  ['on disk', onDisk, noteLagBytes],
  ['that other servers write', async () => new MemoryBlobStore({ hasOtherWriters: true }), 0],
] as const)('a store %s', (_, open, maxReadBytes) => {
  test('a server that never saw a long upload continues it without reading all of it', async () => {
    const { store, readBytes } = counted(await open());
    const api = await apiOnSqlite(store);
    const take = await startTake(api, await api.signIn());
    const bytes = randomBytes(40 * pieceBytes);
    const appendAt = (server: typeof api, offset: number) =>
      append(server, take, {
        uploadId: take.peaksId,
        offset,
        bytes: bytes.subarray(offset, offset + pieceBytes),
      });
    for (let offset = 0; offset < bytes.length - pieceBytes; offset += pieceBytes)
      expect((await appendAt(api, offset)).statusCode).toBe(204);
    expect(readBytes()).toBe(0);
    const other = await api.restart();
    expect((await appendAt(other, bytes.length - pieceBytes)).statusCode).toBe(204);
    expect(readBytes()).toBeLessThanOrEqual(maxReadBytes);
    expect((await complete(other, take, { uploadId: take.peaksId, bytes })).statusCode).toBe(200);
  });
});

test.each(['ogg', 'webm', 'mp4'] as const)(
  'M2: an orderly restart takes no acknowledged byte of a take back: %s',
  async (container) => {
    const open = await onFolder();
    const database = await freshDatabase();
    const first = await open();
    const before = await apiUnderTest(database, first);
    const take = await registerTake(before, await before.signIn());
    await openUpload(before, take, { uploadId: take.audioId, stream: 'audio', container });
    const bytes = asSound(randomBytes(40 * 8000));
    const appendAt = (api: typeof before, offset: number) =>
      append(api, take, { uploadId: take.audioId, offset, bytes: bytes.subarray(offset, offset + 8000) });
    for (let offset = 0; offset < 39 * 8000; offset += 8000)
      expect((await appendAt(before, offset)).statusCode).toBe(204);
    await first.close();
    const after = await apiUnderTest(database, await open());
    expect((await appendAt(after, 39 * 8000)).statusCode).toBe(204);
    expect((await complete(after, take, { uploadId: take.audioId, bytes })).statusCode).toBe(200);
  },
);
