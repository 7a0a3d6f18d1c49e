import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { day } from '#base/duration.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { JobRunner } from '#server/jobs/job-runner.ts';
import { openFolderBackupTarget } from '#server/storage/backups/folder/folder-backup-target.ts';
import { fakeClock } from '#tests/support/fake-clock.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeUser } from '#tests/support/factories.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { createBackups } from './create-backups.ts';

const secretKey = new Uint8Array(32).fill(7);
eachDatabase((_name, open) => {
  const start = async () => {
    const [database, clock, folder] = [await open(), fakeClock(), newFolder()];
    await storeUser(database.queries);
    const opened: { isOpen: boolean }[] = [];
    const backups = createBackups(
      {
        database,
        blobs: new MemoryBlobStore(),
        clock,
        version: '1.0.0',
        secretKey,
        place: '/data',
        onRejected: () => undefined,
        openTarget: async (to) => {
          const target = await openFolderBackupTarget(to, { create: true });
          const connection = { isOpen: true };
          opened.push(connection);
          target.close = () => {
            connection.isOpen = false;
          };
          return target;
        },
      },
      { to: folder, everyMs: day, retention: { daily: 3, weekly: 0 } },
    );
    const runner = new JobRunner({
      database,
      clock,
      queue: createJobQueue({ clock }),
      handlers: backups.jobs,
    });
    for (const { kind, everyMs } of backups.schedules) runner.schedule(kind, everyMs);
    onTestFinished(() => runner.stop());
    return { backups, clock, folder, run: () => runner.runDue(), opened };
  };

  it('makes a backup in each interval, verifies one a week and retains the chosen number', async () => {
    const { backups, clock, folder, run } = await start();
    const verified: boolean[] = [];
    for (let days = 0; days < 9; days += 1) {
      expect(await run()).toBe(1);
      expect(await run()).toBe(0);
      const { newest, failure } = await backups.status();
      expect([newest?.startedAtMs, failure]).toEqual([clock.nowMs(), null]);
      verified.push(newest?.verifiedAtMs !== null);
      clock.advance(day);
    }
    expect(verified).toEqual([true, false, false, false, false, false, false, true, false]);
    expect(readdirSync(join(folder, 'snapshots'))).toHaveLength(3);
  });

  it('fails where a disk with the earlier backups is not mounted, and shows since when', async () => {
    const { backups, clock, folder, run } = await start();
    await run();
    renameSync(folder, `${folder}-unmounted`);
    onTestFinished(() => {
      rmSync(`${folder}-unmounted`, { recursive: true });
    });
    clock.advance(3 * day);
    await run();
    expect(await backups.status()).toMatchObject({
      isOverdue: true,
      newest: { startedAtMs: clock.nowMs() - 3 * day },
      failure: { atMs: clock.nowMs(), reason: expect.stringContaining('mount its disk') as string },
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('closes its connections to the target, whether or not the backup succeeded', async () => {
    const { backups, clock, folder, run, opened } = await start();
    await run();
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false]);
    rmSync(folder, { recursive: true });
    clock.advance(day);
    await run();
    expect((await backups.status()).failure).not.toBeNull();
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  });
});
