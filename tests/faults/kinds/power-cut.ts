import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LoopDisk } from '#tests/faults/world/loop-disk.ts';
import { signalAll } from '#tests/faults/world/process-tree.ts';
import { accountFor, capturedAt, startTake, stopTake, untilCaptured } from '#tests/faults/world/take.ts';
import { withTrial } from '#tests/faults/world/trial.ts';
import { forgiveTail, outcomeOf, type FaultKind, type Outcome } from './outcome.ts';

/** The most that a power cut may cost a device that has only its own disk. */
const allowedMs = 1000;
/**
 * Images are on one real disk, and creating or copying one keeps it busy. A flush at that time would take seconds,
 * and a cut would cost as much.
 */
const realDisk = 'disk';
/** After this time a preallocated file's name has reached the disk without a flush. */
const agingMs = 95_000;

let warmed: Promise<string> | null = null;

/** The image of a disk with a profile whose preallocated files are old enough to survive. Created once. */
async function warmedImage(): Promise<string> {
  const disk = LoopDisk.open();
  if (typeof disk === 'string') throw new Error(disk);
  const profile = join(disk.directory, 'profile');
  mkdirSync(profile);
  await withTrial(1, { profile }, async () => {
    await wait(agingMs);
  });
  const image = disk.snapshot();
  process.once('exit', () => {
    disk.dispose();
  });
  disk.unmount();
  return image;
}

const preparedImage = (): Promise<string> => (warmed ??= warmedImage());

async function cutDevice(seed: number, image: string | undefined): Promise<Partial<Outcome>> {
  const disk = LoopDisk.open(image);
  if (typeof disk === 'string') return { skipped: disk };
  const profile = join(disk.directory, 'profile');
  mkdirSync(profile, { recursive: true });
  try {
    return await withTrial(seed, { profile }, async (trial) => {
      await startTake(trial);
      await untilCaptured(trial.page, 1500);
      // From here on, only the device stores the audio.
      await trial.browser.context.setOffline(true);
      await untilCaptured(trial.page, trial.random.between(4000, 8000));
      const stood = await capturedAt(trial.page);
      const atMs = Date.now();
      signalAll(trial.browser.pids(), 'SIGSTOP');
      const snapshot = disk.snapshot();
      await trial.browser.kill();
      disk.restartFrom(snapshot);
      await trial.openBrowser();
      return outcomeOf(
        forgiveTail(await accountFor(trial, stood(atMs)), allowedMs),
        image === undefined ? 'fresh slots' : 'aged slots',
      );
    });
  } finally {
    disk.dispose();
  }
}

const deviceFresh: FaultKind = {
  number: 5,
  name: 'power cut, fresh slots',
  allowedLossMs: allowedMs,
  needs: realDisk,
  run: (seed) => cutDevice(seed, undefined),
};

const deviceAged: FaultKind = {
  number: 5,
  name: 'power cut, aged slots',
  allowedLossMs: allowedMs,
  timeLimitMs: 300_000,
  needs: realDisk,
  prepare: async () => (process.getuid?.() === 0 ? preparedImage() : null),
  async run(seed) {
    if (process.getuid?.() !== 0) return { skipped: 'only root can mount a disk image' };
    return cutDevice(seed, await preparedImage());
  },
};

const serverDisk: FaultKind = {
  number: 5,
  name: 'power cut at the server',
  allowedLossMs: 0,
  needs: realDisk,
  async run(seed) {
    const disk = LoopDisk.open();
    if (typeof disk === 'string') return { skipped: disk };
    try {
      return await withTrial(seed, { dataDir: disk.directory }, async (trial) => {
        await startTake(trial);
        await untilCaptured(trial.page, trial.random.between(3000, 7000));
        if (trial.server.pid !== undefined) signalAll([trial.server.pid], 'SIGSTOP');
        const snapshot = disk.snapshot();
        await trial.server.end('SIGKILL');
        disk.restartFrom(snapshot);
        await trial.server.start();
        await untilCaptured(
          trial.page,
          (await capturedAt(trial.page))(Date.now()) + trial.random.between(500, 2500),
        );
        return outcomeOf(await accountFor(trial, await stopTake(trial)));
      });
    } finally {
      disk.dispose();
    }
  },
};

export const powerCutKinds: FaultKind[] = [deviceFresh, deviceAged, serverDisk];
