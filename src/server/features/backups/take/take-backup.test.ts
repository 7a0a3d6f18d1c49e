import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { day, second } from '#base/duration.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { eachDatabase, freshDatabase } from '#tests/support/databases.ts';
import { makeBackup, seal, storeKeyFingerprint, storeStream } from '#tests/support/backups-under-test.ts';
import { storeUser } from '#tests/support/factories.ts';
import { sha256Hex } from '#tests/support/api-client.ts';
import { newFolder } from '#tests/support/start-server.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { timeOf } from '#server/storage/database/database-time.ts';
import { isBackupRunning } from '#server/storage/rows/running-backup.ts';
import { type BackupTarget, keyOfContent } from '#server/storage/backups/backup-target.ts';
import { openFolderBackupTarget } from '#server/storage/backups/folder/folder-backup-target.ts';
import { blobsOf, snapshotsOf } from '#server/features/backups/format/snapshots.ts';
import { verifyFiles } from '#server/features/backups/check-backup.ts';
import { readOwnership } from '#server/features/backups/ownership.ts';
import { applyRetention } from '#server/features/backups/retention.ts';
import { takeLease } from './backup-lease.ts';

const { signal } = new AbortController();
const mib = 1024 * 1024;

/** An installation with one finished recording, and a folder for its backups. */
async function installation(database: Database, blobs: BlobStore = new MemoryBlobStore()) {
  const [clock, folder] = [fakeClock(), newFolder()];
  const { id: ownerId } = await storeUser(database.queries);
  await storeKeyFingerprint(database);
  const backedUp = { database, blobs, clock };
  const storeTake = (bytes: Buffer, { isSealed = true } = {}): Promise<string> =>
    storeStream(backedUp, { ownerId, bytes, isSealed });
  const target = await openFolderBackupTarget(folder, { create: true });
  const take = (retention: { daily: number; weekly: number } | null = null, to: BackupTarget = target) =>
    makeBackup(backedUp, to, { retention });
  return { blobs, clock, folder, target, storeTake, take };
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The same target, some of whose methods a test replaces. */
const boundTo = (target: BackupTarget): BackupTarget => ({
  name: target.name,
  freeBytes: () => target.freeBytes(),
  clean: () => target.clean(),
  sizeOf: (key) => target.sizeOf(key),
  list: (prefix) => target.list(prefix),
  read: (key) => target.read(key),
  write: (key, source) => target.write(key, source),
  store: (source) => target.store(source),
  setAside: (key) => target.setAside(key),
  remove: (key) => target.remove(key),
  close: () => target.close(),
});

eachDatabase((_name, open) => {
  it('copies sealed streams once and the whole of short growing ones each time they have grown', async () => {
    const { blobs, target, storeTake, take } = await installation(await open());
    await storeTake(Buffer.alloc(50_000, 1));
    const growing = await storeTake(Buffer.alloc(1000, 2), { isSealed: false });
    expect((await take()).copied).toEqual({ count: 2, sizeBytes: 51_000 });
    expect((await take()).copied).toEqual({ count: 0, sizeBytes: 0 });
    await blobs.append(growing, { offsetBytes: 1000, bytes: Buffer.alloc(10, 3) });
    const newest = await take();
    expect(newest.copied).toEqual({ count: 1, sizeBytes: 1010 });
    expect(await Array.fromAsync(verifyFiles(target, newest, signal))).toEqual([]);
    const { complete } = await snapshotsOf(target, seal);
    expect(complete).toHaveLength(3);
    const sizes = await Array.fromAsync(blobsOf(target, newest), ({ sizeBytes }) => sizeBytes);
    expect(sizes.sort((a, b) => a - b)).toEqual([1010, 50_000]);
  });

  it('counts streams that are missing or do not match their receipts, and copies the others', async () => {
    const { blobs, storeTake, take } = await installation(await open());
    const [damaged, missing] = [await storeTake(Buffer.alloc(100, 1)), await storeTake(Buffer.alloc(100, 2))];
    await storeTake(Buffer.alloc(100, 3));
    await blobs.put(damaged, Buffer.alloc(100, 9));
    await blobs.remove(missing);
    const { blobs: files, copied } = await take();
    expect(files).toMatchObject({ count: 3, damagedCount: 2 });
    expect(copied.count).toBe(2);
  });

  it('compares the free space with the sealed streams that the target lacks, before it copies any', async () => {
    const { clock, folder, target, storeTake, take } = await installation(await open());
    await storeTake(Buffer.alloc(100, 1));
    await take();
    clock.advance(day);
    await storeTake(Buffer.alloc(3 * mib, 2));
    // The same content is stored once.
    await storeTake(Buffer.alloc(3 * mib, 2));
    const withFree = (freeBytes: number | null): BackupTarget => ({
      ...boundTo(target),
      freeBytes: async () => freeBytes,
    });
    await expect(take(null, withFree(3 * mib - 1))).rejects.toThrow(
      `The disk under ${folder} is too small: this backup adds at least 3 MiB, and 2 MiB are free.`,
    );
    expect(await target.sizeOf(keyOfContent(sha256Hex(Buffer.alloc(3 * mib, 2))))).toBeNull();
    expect((await take(null, withFree(3 * mib))).copied.count).toBeGreaterThan(0);
    clock.advance(day);
    // Nothing is new, and what is not known is not compared.
    expect((await take(null, withFree(0))).copied.count).toBe(0);
    clock.advance(day);
    await storeTake(Buffer.alloc(mib, 3));
    expect((await take(null, withFree(null))).copied.count).toBe(1);
  });

  it('names what is missing or damaged when everything is read back', async () => {
    const { folder, target, storeTake, take } = await installation(await open());
    await storeTake(Buffer.alloc(100, 1));
    const manifest = await take();
    const path = `blobs/${sha256Hex(Buffer.alloc(100, 1)).replace(/^../, '$&/')}`;
    writeFileSync(join(folder, path), Buffer.alloc(100, 2));
    expect(await Array.fromAsync(verifyFiles(target, manifest, signal))).toEqual([
      { key: path, problem: 'damaged' },
    ]);
    await target.remove(path);
    expect(await Array.fromAsync(verifyFiles(target, manifest, signal))).toEqual([
      { key: path, problem: 'missing' },
    ]);
  });

  it('copies content again that was found damaged, for all backups', async () => {
    const { clock, folder, target, storeTake, take } = await installation(await open());
    const bytes = Buffer.alloc(100, 1);
    await storeTake(bytes);
    const older = await take();
    const path = `blobs/${sha256Hex(bytes).replace(/^../, '$&/')}`;
    writeFileSync(join(folder, path), Buffer.alloc(100, 2));
    expect(await Array.fromAsync(verifyFiles(target, older, signal))).toHaveLength(1);
    expect(readFileSync(join(folder, `${path}.damaged`))).toEqual(Buffer.alloc(100, 2));
    clock.advance(day);
    expect((await take()).copied.count).toBe(1);
    expect(await Array.fromAsync(verifyFiles(target, older, signal))).toEqual([]);
    expect(readFileSync(join(folder, path))).toEqual(bytes);
    // The copy that is no longer needed is deleted with the next old backup.
    await take({ daily: 1, weekly: 0 });
    expect(readdirSync(dirname(join(folder, path)))).toHaveLength(1);
  });

  it('deletes old backups, with the contents that no other names', async () => {
    const { blobs, clock, folder, storeTake, take } = await installation(await open());
    const retention = { daily: 2, weekly: 0 };
    const growing = await storeTake(Buffer.alloc(10, 1), { isSealed: false });
    await storeTake(Buffer.alloc(20, 2));
    for (let days = 0; days < 4; days += 1) {
      await take(retention);
      clock.advance(day);
      await blobs.append(growing, { offsetBytes: 10 + days, bytes: Buffer.alloc(1, days) });
    }
    expect(readdirSync(join(folder, 'snapshots'))).toHaveLength(2);
    const contents = readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' });
    expect(contents.filter((name) => name.includes('/'))).toHaveLength(3);
  });

  it('deletes nothing more once the lease is lost', async () => {
    const database = await open();
    const { clock, folder, target, storeTake, take } = await installation(database);
    await storeTake(Buffer.alloc(10, 1));
    await take();
    clock.advance(day);
    await take();
    const unnamed = await target.store(oneOf(Buffer.alloc(10, 2)));
    const lost = new AbortController();
    const losing: BackupTarget = {
      ...boundTo(target),
      async list(prefix) {
        // The old snapshot is deleted by then, the contents follow.
        if (prefix === 'blobs/') lost.abort();
        return target.list(prefix);
      },
    };
    const options = {
      ownership: await readOwnership(database.queries, clock.nowMs()),
      seal,
      nowMs: clock.nowMs(),
      signal: lost.signal,
    };
    await expect(applyRetention(losing, { daily: 1, weekly: 0 }, options)).rejects.toThrow('aborted');
    expect(readdirSync(join(folder, 'snapshots'))).toHaveLength(1);
    expect(await target.sizeOf(keyOfContent(unnamed.sha256))).toBe(10);
  });

  it('has one lease at a time, also if several processes request it at the same moment', async () => {
    const database = await open();
    const clock = fakeClock();
    let [held, max] = [0, 0];
    await Promise.all(
      ['one', 'two', 'three'].map(async (id) => {
        const lease = await takeLease({ database, clock, signal }, { id, target: '/there', is_scheduled: 0 });
        held += 1;
        max = Math.max(max, held);
        expect(await isBackupRunning(database.queries, timeOf(clock))).toBe(true);
        held -= 1;
        await lease.end({ state: 'done' });
      }),
    );
    expect(max).toBe(1);
  });

  it('runs once at a time, and takes over from a process that has ended', async () => {
    const database = await open();
    const { clock, take } = await installation(database);
    await takeLease({ database, clock, signal }, { id: 'other', target: '/other', is_scheduled: 0 });
    expect(await isBackupRunning(database.queries, timeOf(clock))).toBe(true);
    const waiting = take();
    clock.advance(61 * second);
    await waiting;
    expect(await isBackupRunning(database.queries, timeOf(clock))).toBe(false);
    const rows = await database.queries
      .selectFrom('backups')
      .select(['state', 'error'])
      .orderBy('started_at')
      .execute();
    expect(rows).toEqual([
      { state: 'failed', error: 'The process ended before the backup was complete.' },
      { state: 'done', error: null },
    ]);
  });
});

describe.skipIf(!hasPostgres)('a backup of recordings in an object store', () => {
  const stores = tieredStores();

  it('counts a stream whose object is missing, and copies the others', async () => {
    const objects = new MemoryObjectStore();
    const { store, mover } = await stores.open({ objects });
    const { storeTake, take } = await installation(await freshDatabase(), store);
    const [missing] = [await storeTake(Buffer.alloc(100, 1)), await storeTake(Buffer.alloc(100, 2))];
    while ((await mover.moveDue({ atBytes: 1, afterMs: 0, everyMs: 0 })) > 0);
    for (const name of objects.objects.keys()) if (name.startsWith(missing)) objects.objects.delete(name);
    expect(await take()).toMatchObject({ blobs: { count: 2, damagedCount: 1 }, copied: { count: 1 } });
  });
});

eachDatabase((_name, open) => {
  it('leaves out what a restore would make valid again', async () => {
    const database = await open();
    const { target, take } = await installation(database);
    await take();
    const { complete } = await snapshotsOf(target, seal);
    const tables = complete.flatMap((manifest) => manifest.tables.map(({ name }) => name));
    expect(tables).toEqual(expect.arrayContaining(['shares', 'upload_capabilities', 'users']));
    for (const name of [
      'auth_flows',
      'export_tickets',
      'idempotency_keys',
      'link_tokens',
      'login_failures',
      'oauth_flows',
      'rate_limits',
      'sessions',
      'share_visits',
      'sign_in_failures',
    ])
      expect(tables).not.toContain(name);
  });
});
