import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeBackup, storeStream } from '#tests/support/backups-under-test.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { storeUser } from '#tests/support/factories.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { openFolderBackupTarget } from '#server/storage/backups/folder/folder-backup-target.ts';
import { BlobFencedError } from '#server/storage/blobs/blob-store.ts';
import { defaultDueTails } from '#server/storage/blobs/tiered/tail-mover.ts';
import { restoreBlobs } from './restore-backup.ts';

const mib = 1024 * 1024;

/** A backup of streams of these sizes, all but the last of which are sealed. */
async function backupOf(sizes: readonly number[]) {
  const database = await freshDatabase();
  const backedUp = { database, blobs: new MemoryBlobStore(), clock: fakeClock() };
  const { id: ownerId } = await storeUser(database.queries);
  const streams: { key: string; bytes: Buffer }[] = [];
  for (const [index, sizeBytes] of sizes.entries()) {
    const bytes = randomBytes(sizeBytes);
    const isSealed = index < sizes.length - 1;
    streams.push({ key: await storeStream(backedUp, { ownerId, bytes, isSealed }), bytes });
  }
  const target = await openFolderBackupTarget(newFolder(), { create: true });
  const manifest = await makeBackup(backedUp, target);
  return { target, manifest, streams };
}

describe.skipIf(!hasPostgres)('a restore into an object store', () => {
  const stores = tieredStores();

  it('waits while the space for tails is full, and seals what was sealed', async () => {
    const { target, manifest, streams } = await backupOf([22 * mib, 6 * mib, 3 * mib, 4000, 5000]);
    const { store, mover, composer } = await stores.open({
      objects: new MemoryObjectStore(),
      limitBytes: 16 * mib,
    });
    let isRestored = false;
    onTestFinished(() => {
      isRestored = true;
    });
    const moveAll = async (): Promise<void> => {
      while (!isRestored) {
        await mover.moveDue(defaultDueTails);
        await composer.composeNext();
      }
    };
    const moving = moveAll();
    expect(await restoreBlobs({ target, blobs: store }, manifest, { skipDamaged: false })).toMatchObject({
      count: 5,
      problems: [],
    });
    isRestored = true;
    await moving;
    for (const { key, bytes } of streams)
      expect(
        (await buffer(store.stream(key, { startByte: 0, endByteExclusive: bytes.length }))).equals(bytes),
      ).toBe(true);
    const outcomes = await Promise.all(
      streams.map(({ key, bytes }) =>
        store.append(key, { offsetBytes: bytes.length, bytes: Buffer.alloc(1) }).then(
          () => 'appended',
          (error: unknown) => (error instanceof BlobFencedError ? 'sealed' : error),
        ),
      ),
    );
    expect(outcomes).toEqual(['sealed', 'sealed', 'sealed', 'sealed', 'appended']);
  });
});
