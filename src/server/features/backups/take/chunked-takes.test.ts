import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { day } from '#base/duration.ts';
import { verifyFiles } from '#server/features/backups/check-backup.ts';
import type { BackupManifest } from '#server/features/backups/format/manifest.ts';
import { restoreBlobs } from '#server/features/backups/restore/restore-backup.ts';
import { keyOfContent } from '#server/storage/backups/backup-target.ts';
import { openFolderBackupTarget } from '#server/storage/backups/folder/folder-backup-target.ts';
import { sha256Hex } from '#tests/support/api-client.ts';
import { freshDatabase } from '#tests/support/databases.ts';
import { makeBackup, storeKeyFingerprint, storeStream } from '#tests/support/backups-under-test.ts';
import { storeUser } from '#tests/support/factories.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { newFolder } from '#tests/support/start-server.ts';

const { signal } = new AbortController();
const mib = 1024 * 1024;

/** An installation, and a folder for its backups. */
async function installation() {
  const [database, blobs] = [await freshDatabase(), new MemoryBlobStore()];
  const [clock, folder] = [fakeClock(), newFolder()];
  const { id: ownerId } = await storeUser(database.queries);
  await storeKeyFingerprint(database);
  const backedUp = { database, blobs, clock };
  const storeTake = (bytes: Buffer, { isSealed = true } = {}): Promise<string> =>
    storeStream(backedUp, { ownerId, bytes, isSealed });
  const target = await openFolderBackupTarget(folder, { create: true });
  const take = (retention: { daily: number; weekly: number } | null = null) =>
    makeBackup(backedUp, target, { retention });
  return { database, blobs, clock, folder, target, storeTake, take };
}

it('stores the bytes of a running take once, and the end of it with each backup', async () => {
  const { database, blobs, clock, folder, target, storeTake, take } = await installation();
  let whole = randomBytes(9 * mib);
  const key = await storeTake(whole, { isSealed: false });
  const made: { manifest: BackupManifest; bytes: Buffer }[] = [];
  for (let backups = 0; backups < 5; backups += 1) {
    made.push({ manifest: await take(), bytes: whole });
    clock.advance(day);
    const more = randomBytes(1000);
    await blobs.append(key, { offsetBytes: whole.length, bytes: more });
    whole = Buffer.concat([whole, more]);
  }
  expect(made.map(({ manifest }) => manifest.copied)).toEqual([
    { count: 3, sizeBytes: 9 * mib },
    ...[1, 2, 3, 4].map((rounds) => ({ count: 1, sizeBytes: mib + 1000 * rounds })),
  ]);
  expect(made.map(({ manifest }) => manifest.format)).toEqual([2, 2, 2, 2, 2]);
  for (const { manifest, bytes } of [made[0], made[4]].filter((each) => each !== undefined)) {
    expect(await Array.fromAsync(verifyFiles(target, manifest, signal))).toEqual([]);
    const restored = new MemoryBlobStore();
    await restoreBlobs({ target, blobs: restored }, manifest, { skipDamaged: false });
    const range = { startByte: 0, endByteExclusive: bytes.length };
    expect(bytes.equals(await restored.read(key, range))).toBe(true);
  }
  // Nothing of a stream that has not changed is read or stored.
  expect((await take()).copied.count).toBe(1);
  blobs.stream = () => {
    throw new Error('read');
  };
  expect(await take()).toMatchObject({ format: 2, copied: { count: 0 } });
  Reflect.deleteProperty(blobs, 'stream');
  // Once it is sealed, its chunks are deleted with the last backup that names them.
  await database.queries
    .updateTable('uploads')
    .set({ size_bytes: whole.length, sha256: sha256Hex(whole), sealed_at: clock.nowMs() })
    .execute();
  clock.advance(day);
  expect(await take({ daily: 1, weekly: 0 })).toMatchObject({
    format: 1,
    copied: { count: 1, sizeBytes: whole.length },
  });
  const contents = readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' });
  expect(contents.filter((name) => name.includes('/'))).toHaveLength(1);
});

it('names a damaged chunk, and stores it again', async () => {
  const { blobs, clock, folder, target, storeTake, take } = await installation();
  const whole = randomBytes(5 * mib);
  const key = await storeTake(whole, { isSealed: false });
  const manifest = await take();
  const chunk = keyOfContent(sha256Hex(whole.subarray(4 * mib)));
  writeFileSync(join(folder, chunk), Buffer.alloc(mib));
  await expect(
    restoreBlobs({ target, blobs: new MemoryBlobStore() }, manifest, { skipDamaged: false }),
  ).rejects.toThrow(`${chunk} is damaged (${key})`);
  expect(await Array.fromAsync(verifyFiles(target, manifest, signal))).toEqual([
    { key: chunk, problem: 'damaged' },
  ]);
  clock.advance(day);
  expect((await take()).copied).toEqual({ count: 1, sizeBytes: mib });
  expect(await Array.fromAsync(verifyFiles(target, manifest, signal))).toEqual([]);
  expect(whole.length).toBe((await blobs.head(key))?.sizeBytes);
});
