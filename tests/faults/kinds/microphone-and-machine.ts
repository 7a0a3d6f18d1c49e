import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { toleranceMs } from '#tests/faults/signal/account.ts';
import { signalAll } from '#tests/faults/world/process-tree.ts';
import {
  accountFor,
  capturedAt,
  startTake,
  stopTake,
  until,
  untilCaptured,
} from '#tests/faults/world/take.ts';
import { withTrial, type Trial } from '#tests/faults/world/trial.ts';
import { outcomeOf, type FaultKind, type Outcome } from './outcome.ts';

const standsAt = async ({ page }: Trial): Promise<number> => (await capturedAt(page))(Date.now());

/** The wall-clock reference from which the expected length of the timeline is computed. */
interface Wall {
  startedAtMs: number;
  startedFromMs: number;
}

async function startWall(trial: Trial): Promise<Wall> {
  await startTake(trial);
  await untilCaptured(trial.page, 1000 + trial.random.between(500, 2500));
  // Both values are for the same moment, because querying the page takes a while.
  const startedAtMs = Date.now();
  return { startedAtMs, startedFromMs: (await capturedAt(trial.page))(startedAtMs) };
}

/** Stops the take and compares its timeline with the wall clock: all elapsed time must be audio or a named gap. */
async function endAgainstWall(
  trial: Trial,
  { startedAtMs, startedFromMs }: Wall,
  allowedMs: number,
): Promise<Partial<Outcome>> {
  const stoppedAtMs = Date.now();
  const expectedMs = startedFromMs + stoppedAtMs - startedAtMs;
  const account = await accountFor(trial, await stopTake(trial));
  const driftMs = expectedMs - account.timelineMs;
  const missing =
    driftMs > allowedMs
      ? [`the timeline is ${Math.round(driftMs)} ms shorter than the time that passed`]
      : [];
  return {
    ...outcomeOf(
      account,
      `gaps: ${account.recording.gaps.map(({ cause, durationMs }) => `${cause} ${durationMs} ms`).join(', ') || 'none'}; the clock is ${Math.round(driftMs)} ms ahead`,
    ),
    unexplainedMs: account.unexplainedMs + Math.max(0, missing.length > 0 ? driftMs : 0),
    findings: [...account.findings, ...missing],
  };
}

const microphoneLost: FaultKind = {
  number: 9,
  name: 'microphone lost',
  allowedLossMs: 2000,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      const wall = await startWall(trial);
      signalAll(trial.browser.pids('audio.mojom.AudioService'), 'SIGKILL');
      await wait(1500);
      await until(
        async () => (await standsAt(trial)) > wall.startedFromMs + 3000 || null,
        'capture continuing after the loss',
        15_000,
      );
      await wait(trial.random.between(500, 2000));
      return endAgainstWall(trial, wall, 250);
    }),
};

const slept: FaultKind = {
  number: 10,
  name: 'computer slept',
  allowedLossMs: 8000,
  typicalMs: 16_000,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      const wall = await startWall(trial);
      const pids = trial.browser.pids();
      signalAll(pids, 'SIGSTOP');
      await wait(trial.random.between(3000, 6000));
      signalAll(pids.toReversed(), 'SIGCONT');
      await wait(trial.random.between(2500, 4000));
      return endAgainstWall(trial, wall, 400);
    }),
};

const deviceFull: FaultKind = {
  number: 11,
  name: 'device full',
  allowedLossMs: 0,
  places: 2,
  run: (seed) =>
    withTrial(seed, { firstVisit: true }, async (trial) => {
      const devtools = await trial.browser.context.newCDPSession(trial.page);
      // Enough space for a first segment but not for the take, so that the worker gets the browser's real quota
      // error.
      await devtools.send('Storage.overrideQuotaForOrigin', {
        origin: new URL(trial.url).origin,
        quotaSize: trial.random.between(3_000_000, 6_000_000),
      });
      await trial.page.reload();
      const wall = await startWall(trial);
      await trial.page.evaluate(async () => {
        const directory = await navigator.storage.getDirectory();
        const filler = await directory.getFileHandle('filler', { create: true }).catch(() => null);
        if (filler === null) return; // No space even for a directory entry: the device is already full.
        for (let sizeBytes = 1_000_000; sizeBytes >= 1000; sizeBytes = Math.floor(sizeBytes / 2)) {
          try {
            const { size } = await filler.getFile();
            const stream = await filler.createWritable({ keepExistingData: true });
            await stream.write({ type: 'write', position: size, data: new Uint8Array(sizeBytes) });
            await stream.close();
            sizeBytes *= 2;
          } catch {
            /* Not enough space for this size: try half of it. */
          }
        }
      });
      await wait(trial.random.between(3000, 5000));
      return endAgainstWall(trial, wall, 250);
    }),
};

/** Keeps a processor busy while it lives. */
const hog = () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });

const hogs: FaultKind = {
  number: 16,
  name: 'processor hogs',
  allowedLossMs: 1000,
  places: Infinity,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      const wall = await startWall(trial);
      const busy = [hog(), hog(), hog(), hog()];
      try {
        await wait(trial.random.between(4000, 7000));
      } finally {
        for (const child of busy) child.kill('SIGKILL');
      }
      await wait(500);
      return endAgainstWall(trial, wall, 250 + toleranceMs);
    }),
};

/** Up to a second is buffered in the browser's audio service; the loss of a longer stop must be a named gap. */
const heldUp: FaultKind = {
  number: 20,
  name: 'page processes stopped for a moment, again and again',
  allowedLossMs: 2000,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      const wall = await startWall(trial);
      const pids = trial.browser.pids('--type=renderer');
      for (const stoppedMs of [
        80,
        200,
        500,
        trial.random.between(100, 900),
        trial.random.between(1200, 2000),
      ]) {
        signalAll(pids, 'SIGSTOP');
        await wait(stoppedMs);
        signalAll(pids, 'SIGCONT');
        await wait(trial.random.between(600, 1200));
      }
      return endAgainstWall(trial, wall, 250);
    }),
};

export const microphoneAndMachineKinds: FaultKind[] = [microphoneLost, slept, deviceFull, hogs, heldUp];
