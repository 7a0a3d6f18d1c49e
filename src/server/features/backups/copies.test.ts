import { expect, it, onTestFinished } from 'vitest';
import { day, hour } from '#base/duration.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { JobRunner } from '#server/jobs/job-runner.ts';
import { type BackupTarget, keyOfContent } from '#server/storage/backups/backup-target.ts';
import type { Database } from '#server/storage/database/database.ts';
import { createRestoreMarker, removeRestoreMarker } from '#server/storage/database/restore-marker.ts';
import { readLineage, renewLineage } from '#server/storage/rows/backup-lineage.ts';
import {
  type BackedUp,
  makeBackup,
  seal,
  secretKey,
  storeKeyFingerprint,
  storeStream,
} from '#tests/support/backups-under-test.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeUser } from '#tests/support/factories.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { MemoryBackupTarget } from '#tests/support/memory-backup-target.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { storeTranscript } from '#tests/support/stored-transcript.ts';
import { verifyFiles } from './check-backup.ts';
import { createBackups } from './create-backups.ts';
import { type BackupManifest, manifestText } from './format/manifest.ts';
import { blobsOf, chosenSnapshot, keysOf, snapshotsOf } from './format/snapshots.ts';
import { restoreBlobs, restoreTables } from './restore/restore-backup.ts';
import { retainedIds } from './retention.ts';

const { signal } = new AbortController();
const retention = { daily: 7, weekly: 4 };

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type Clock = ReturnType<typeof fakeClock>;

/** An installation that makes backups into a folder, which others may use too. */
function installationOn(
  database: Database,
  {
    clock,
    target,
    blobs = new MemoryBlobStore(),
  }: { clock: Clock; target: BackupTarget; blobs?: MemoryBlobStore },
) {
  let takes = 0;
  return {
    database,
    blobs,
    /** Stores one recording with bytes that no other has. */
    async record(name: string): Promise<void> {
      const { id: ownerId } = await database.queries
        .selectFrom('users')
        .select('id')
        .executeTakeFirstOrThrow();
      takes += 1;
      await storeStream({ database, blobs, clock }, { ownerId, bytes: Buffer.from(`${name} ${takes}`) });
    },
    back: ({ adopts = false, to = target, keeps = retention } = {}): Promise<BackupManifest> =>
      makeBackup({ database, blobs, clock }, to, { isScheduled: true, retention: keeps, adopts }),
  };
}

/** The scheduled backups of an installation. */
const schedulesOf = (
  { target, ...backedUp }: BackedUp & { target: BackupTarget },
  settings: Parameters<typeof createBackups>[1],
) =>
  createBackups(
    {
      ...backedUp,
      version: '1.0.0',
      secretKey,
      place: '/data',
      openTarget: async () => target,
      onRejected: () => undefined,
    },
    settings,
  );

eachDatabase((_name, open) => {
  const prepare = async (database: Database): Promise<void> => {
    await storeUser(database.queries);
    await storeKeyFingerprint(database);
  };

  const original = async () => {
    const [database, clock, target] = [await open(), fakeClock(), new MemoryBackupTarget()];
    await prepare(database);
    return { ...installationOn(database, { clock, target }), clock, target };
  };

  /** Restores a backup, as the command does. */
  const restored = async (
    { clock, target }: { clock: Clock; target: BackupTarget },
    manifest: BackupManifest,
  ) => {
    const [database, blobs] = [await open(), new MemoryBlobStore()];
    await createRestoreMarker(database, manifest.id);
    await restoreBlobs({ target, blobs }, manifest, { skipDamaged: false });
    await restoreTables(database, target, manifest);
    await renewLineage(database.queries, { madeBy: 'restore', nowMs: clock.nowMs() });
    await removeRestoreMarker(database.queries);
    return installationOn(database, { clock, target, blobs });
  };

  const problemsIn = async (target: BackupTarget, manifests: readonly BackupManifest[]) => {
    const problems = [];
    for (const manifest of manifests)
      problems.push(...(await Array.fromAsync(verifyFiles(target, manifest, signal))));
    return problems;
  };

  /** Rewrites a manifest as versions without origins wrote it. */
  const withoutOrigin = async (target: BackupTarget, manifest: BackupManifest): Promise<void> => {
    const { origin: _origin, ...older } = manifest;
    await target.write(keysOf(manifest.id).manifest, oneOf(Buffer.from(manifestText(older, seal))));
  };

  it('has the transcripts of the installation that it is restored from', async () => {
    const first = await original();
    await first.record('spoken');
    const { id: recordingId, owner_id: ownerId } = await first.database.queries
      .selectFrom('recordings')
      .select(['id', 'owner_id'])
      .executeTakeFirstOrThrow();
    await storeTranscript(first.database.queries, { recordingId, ownerId });
    const copy = await restored(first, await first.back());
    for (const table of ['transcripts', 'transcript_lines', 'transcript_corrections'] as const) {
      const [before, after] = [first, copy].map(({ database }) =>
        database.queries.selectFrom(table).selectAll().orderBy('from_ms').execute(),
      );
      expect(await before).not.toEqual([]);
      expect(await after).toEqual(await before);
    }
  });

  it('has every backup that its own retention keeps after a month beside a restored copy', async () => {
    const first = await original();
    const { clock, target } = first;
    const ofFirst: BackupManifest[] = [];
    const ofCopy: BackupManifest[] = [];
    const rejections: string[] = [];
    let copy: Awaited<ReturnType<typeof restored>> | null = null;
    for (let days = 0; days < 31; days += 1) {
      await first.record('original');
      ofFirst.push(await first.back());
      clock.advance(hour);
      if (days === 2) copy = await restored(first, ofFirst[1] as BackupManifest);
      if (copy !== null) {
        await copy.record('copy');
        if (days >= 10) ofCopy.push(await copy.back({ adopts: days === 10 }));
        else rejections.push(String(await copy.back().catch((error: unknown) => error)));
      }
      clock.advance(day - hour);
    }
    expect(rejections).toHaveLength(8);
    for (const rejection of rejections)
      expect(rejection).toMatch(/restored from a backup.*"earshot backup .* --adopt"/);
    const { complete, incomplete } = await snapshotsOf(target, seal);
    const expected = [ofFirst, ofCopy].flatMap((made) => [...retainedIds(made.toReversed(), retention)]);
    expect(complete.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(incomplete).toEqual([]);
    expect(await problemsIn(target, complete)).toEqual([]);
  });

  it('leaves every backup of the original in a month of schedules of a copy with its settings', async () => {
    const first = await original();
    const { clock, target } = first;
    const settings = { to: target.name, everyMs: day, retention: { daily: 3, weekly: 2 } };
    const scheduleOf = ({ database, blobs }: Pick<typeof first, 'database' | 'blobs'>) => {
      const backups = schedulesOf({ database, blobs, clock, target }, settings);
      const queue = createJobQueue({ clock });
      const runner = new JobRunner({ database, clock, queue, handlers: backups.jobs });
      for (const { kind, everyMs } of backups.schedules) runner.schedule(kind, everyMs);
      onTestFinished(() => runner.stop());
      return { runDue: () => runner.runDue(), status: () => backups.status() };
    };
    const present = async (): Promise<BackupManifest[]> => (await snapshotsOf(target, seal)).complete;
    const run = async (
      { runDue }: ReturnType<typeof scheduleOf>,
      { record }: Pick<typeof first, 'record'>,
      days: number,
    ): Promise<void> => {
      for (let done = 0; done < days; done += 1) {
        await record('a day');
        await runDue();
        clock.advance(day);
      }
    };
    const ofOriginal = scheduleOf(first);
    await run(ofOriginal, first, 5);
    const originals = await present();
    expect(originals.length).toBeGreaterThanOrEqual(settings.retention.daily);
    const [newest] = originals;
    const copy = await restored(first, newest as BackupManifest);
    const ofCopy = scheduleOf(copy);
    // The original is not running meanwhile.
    await run(ofCopy, copy, 24);
    expect(await present()).toEqual(originals);
    expect((await ofCopy.status()).failure?.reason).toContain('restored from a backup');
    await copy.back({ adopts: true });
    clock.advance(day);
    await run(ofCopy, copy, 6);
    expect((await ofCopy.status()).failure).toBeNull();
    const originalIds = originals.map(({ id }) => id);
    const copies = (await present()).filter(({ id }) => !originalIds.includes(id));
    expect(await present()).toEqual(expect.arrayContaining(originals));
    expect(copies.length).toBeGreaterThanOrEqual(settings.retention.daily);
    expect([...retainedIds(copies, settings.retention)].sort()).toEqual(copies.map(({ id }) => id).sort());
    // Then the original runs again, and deletes only its own.
    await run(ofOriginal, first, 2);
    expect(await present()).toEqual(expect.arrayContaining(copies));
    const own = (await present()).filter(({ id }) => !copies.some((each) => each.id === id));
    expect([...retainedIds(own, settings.retention)].sort()).toEqual(own.map(({ id }) => id).sort());
    expect(await problemsIn(target, await present())).toEqual([]);
  });

  it('names at the first start why the scheduled backups of a copy wait, and shows it as a failure', async () => {
    const first = await original();
    const { clock, target } = first;
    const copy = await restored(first, await first.back());
    const backupsOf = ({ database, blobs }: Pick<typeof copy, 'database' | 'blobs'>) =>
      schedulesOf({ database, blobs, clock, target }, { to: target.name, everyMs: day, retention });
    expect(await backupsOf(first).checkPlace()).toBeNull();
    const backups = backupsOf(copy);
    const reason = await backups.checkPlace();
    expect(reason).toContain('was restored from a backup');
    expect(await backups.status()).toMatchObject({ newest: null, failure: { reason } });
    await copy.back({ adopts: true });
    expect(await backups.checkPlace()).toBeNull();
  });

  it('refuses to continue backups that another copy of the same database has continued', async () => {
    const first = await original();
    const { clock, target } = first;
    await first.back();
    const lineage = await readLineage(first.database.queries);
    const copiedFiles = installationOn(await open(), { clock, target });
    await prepare(copiedFiles.database);
    await copiedFiles.database.queries
      .insertInto('backup_lineage')
      .values({ only: 1, id: lineage?.id ?? '', made_by: 'first', made_at: 0, continues: null })
      .execute();
    clock.advance(day);
    await expect(copiedFiles.back()).rejects.toThrow('made by a copy of its database');
    await copiedFiles.back({ adopts: true });
    clock.advance(day);
    await first.back();
    clock.advance(day);
    await copiedFiles.back();
    expect((await snapshotsOf(target, seal)).complete).toHaveLength(4);
  });

  it('deletes backups without an origin only if the database has recorded that it made them', async () => {
    const first = await original();
    const { clock, target } = first;
    for (let days = 0; days < 3; days += 1) {
      await first.back();
      clock.advance(day);
    }
    const [newest] = (await snapshotsOf(target, seal)).complete;
    for (const manifest of (await snapshotsOf(target, seal)).complete) await withoutOrigin(target, manifest);
    const another = await original();
    await expect(another.back({ to: target })).rejects.toThrow('the newest is from an older version');
    await first.database.queries
      .deleteFrom('backups')
      .where('id', '!=', newest?.id ?? '')
      .execute();
    const unproven = (await snapshotsOf(target, seal)).complete.slice(1).map(({ id }) => id);
    for (let days = 0; days < 3; days += 1) {
      await first.back({ keeps: { daily: 2, weekly: 0 } });
      clock.advance(day);
    }
    const ids = (await snapshotsOf(target, seal)).complete.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(unproven));
    expect(ids).not.toContain(newest?.id);
  });

  it('continues the backups from before a move, and leaves those that the old place makes later', async () => {
    const old = await original();
    const { clock, target } = old;
    const before = await old.back();
    clock.advance(day);
    const moved = installationOn(await open(), { clock, target });
    await prepare(moved.database);
    const lineage = await readLineage(old.database.queries);
    await renewLineage(moved.database.queries, {
      madeBy: 'move',
      nowMs: clock.nowMs(),
      continues: lineage?.id ?? null,
    });
    await moved.back();
    clock.advance(hour);
    const after = await old.back();
    for (let days = 0; days < 3; days += 1) {
      await moved.back({ keeps: { daily: 2, weekly: 0 } });
      clock.advance(day);
    }
    const ids = (await snapshotsOf(target, seal)).complete.map(({ id }) => id);
    expect(ids).toContain(after.id);
    expect(ids).not.toContain(before.id);
  });

  it('keeps away from a backup that another copy is making', async () => {
    const first = await original();
    const { clock, target } = first;
    await first.back();
    const unfinished = `${new Date(clock.nowMs())
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')
      .toLowerCase()}-1a2b3c4d`;
    await target.write(keysOf(unfinished).table('users'), oneOf(Buffer.from('rows')));
    const { sha256 } = await target.store(oneOf(Buffer.from('a stream of the copy')));
    for (let days = 0; days < 6; days += 1) {
      clock.advance(day);
      await first.back({});
    }
    await target.remove(keysOf((await first.back()).id).manifest);
    clock.advance(hour);
    await first.back();
    expect(await target.list('snapshots/')).toContain(unfinished);
    expect(await target.sizeOf(keyOfContent(sha256))).not.toBeNull();
  });

  it('copies a file again that another copy deletes during the backup', async () => {
    const first = await original();
    const { clock, target } = first;
    await first.record('original');
    const copy = await restored(first, await first.back());
    const adopted = await copy.back({ adopts: true });
    const entry = (await Array.fromAsync(blobsOf(target, adopted)))[0];
    const content = keyOfContent(entry?.sha256 ?? '');
    let isDeleted = false;
    const write = target.write.bind(target);
    target.write = async (key, source) => {
      const stored = await write(key, source);
      if (key.endsWith('blobs.jsonl.gz') && !isDeleted) {
        isDeleted = true;
        await target.remove(content);
      }
      return stored;
    };
    clock.advance(day);
    const manifest = await first.back();
    expect(isDeleted).toBe(true);
    expect(await problemsIn(target, [manifest])).toEqual([]);
  });

  it('restores the newest backup only if nothing is in doubt', async () => {
    const first = await original();
    const { clock, target } = first;
    const certain = { seal, isCertain: true };
    const older = await first.back();
    clock.advance(day);
    const newest = await first.back();
    expect((await chosenSnapshot(target, undefined, certain)).id).toBe(newest.id);
    const { manifest } = keysOf(newest.id);
    await target.write(manifest, oneOf(Buffer.from('{')));
    await expect(chosenSnapshot(target, undefined, certain)).rejects.toThrow(
      `The newest backup ${newest.id} cannot be used (${target.name}/${manifest} is damaged): to restore an older one, name it, as in --snapshot ${older.id}.`,
    );
    expect((await chosenSnapshot(target, older.id, certain)).id).toBe(older.id);
    await target.write(manifest, oneOf(Buffer.from(manifestText(newest, seal))));
    await target.write(keysOf(older.id).manifest, oneOf(Buffer.from('{')));
    expect((await chosenSnapshot(target, undefined, certain)).id).toBe(newest.id);
    await target.write(keysOf(older.id).manifest, oneOf(Buffer.from(manifestText(older, seal))));
    clock.advance(day);
    const copy = await restored(first, newest);
    const { id } = await copy.back({ adopts: true });
    await expect(chosenSnapshot(target, undefined, certain)).rejects.toThrow(
      new RegExp(`several installations; the newest are ${id} .* and ${newest.id} .* --snapshot`),
    );
  });
});
