import { balance } from '#tests/faults/signal/account.ts';
import { readCodes } from '#tests/faults/signal/read-codes.ts';
import { decode, heardRateHz } from '#tests/faults/world/listen.ts';
import {
  accountFor,
  capturedAt,
  copyOnServer,
  startTake,
  stopTake,
  untilCaptured,
} from '#tests/faults/world/take.ts';
import { withTrial, type Trial } from '#tests/faults/world/trial.ts';
import { forgiveTail, outcomeOf, type FaultKind, type Outcome } from './outcome.ts';

/** The most that one killed browser may cost. */
const killAllowanceMs = 100;

async function serverLossMs(trial: Trial, capturedMs: number): Promise<number> {
  const samples = await decode(await copyOnServer(trial));
  const heard = readCodes(samples, heardRateHz);
  return balance(heard, [], { timelineMs: 0, expectedEndMs: capturedMs }).worstLossMs;
}

const plainStop: FaultKind = {
  number: 1,
  name: 'plain stop',
  allowedLossMs: 0,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      await startTake(trial);
      await untilCaptured(trial.page, trial.random.between(2000, 8000));
      return outcomeOf(await accountFor(trial, await stopTake(trial)));
    }),
};

/** Kills the whole browser, checks the server's copy, and restarts the browser so that it uploads the rest. */
async function killAndReturn(trial: Trial, beforeKill: () => Promise<void>): Promise<Partial<Outcome>> {
  await startTake(trial);
  await untilCaptured(trial.page, trial.random.between(2500, 8000));
  const stood = await capturedAt(trial.page);
  await beforeKill();
  const capturedMs = stood(await trial.browser.kill());
  const onServerMs = await serverLossMs(trial, capturedMs);
  await trial.openBrowser();
  const account = forgiveTail(await accountFor(trial, capturedMs), killAllowanceMs);
  const late = onServerMs > 1000 ? [`the server's copy alone lacked ${Math.round(onServerMs)} ms`] : [];
  return {
    ...outcomeOf(account, `server copy alone lacked ${Math.round(onServerMs)} ms`),
    findings: [...account.findings, ...late],
  };
}

const browserKilled: FaultKind = {
  number: 2,
  name: 'browser killed',
  allowedLossMs: killAllowanceMs,
  places: 2,
  run: (seed) => withTrial(seed, {}, (trial) => killAndReturn(trial, async () => undefined)),
};

const pageHung: FaultKind = {
  number: 4,
  name: 'page hung, then killed',
  allowedLossMs: killAllowanceMs,
  places: 3,
  typicalMs: 19_000,
  run: (seed) =>
    withTrial(seed, {}, (trial) =>
      killAndReturn(trial, async () => {
        // The page no longer responds, but audio captured meanwhile must be stored.
        trial.page
          .evaluate(() => {
            for (const endMs = Date.now() + 60_000; Date.now() < endMs;);
          })
          .catch(() => undefined);
        await new Promise((resolve) => {
          setTimeout(resolve, 6000);
        });
      }),
    ),
};

const rendererCrashed: FaultKind = {
  number: 3,
  name: 'renderer crashed, second tab',
  allowedLossMs: killAllowanceMs,
  places: 2,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      await startTake(trial);
      const first = trial.page;
      const second = await trial.openPage(await trial.browser.context.newPage(), trial.browser.context);
      await untilCaptured(first, trial.random.between(2500, 7000));
      const isRejected = await second.evaluate(async () =>
        ((await navigator.locks.query()).held ?? []).some(({ name }) => name?.startsWith('recording:')),
      );
      const stood = await capturedAt(first);
      const devtools = await trial.browser.context.newCDPSession(first);
      const crashed = first.waitForEvent('crash');
      const atMs = Date.now();
      devtools.send('Page.crash').catch(() => undefined);
      await crashed;
      const account = forgiveTail(await accountFor(trial, stood(atMs)), killAllowanceMs);
      return {
        ...outcomeOf(account),
        findings: [
          ...account.findings,
          ...(isRejected ? [] : ['a second tab could have taken the take while its page lived']),
        ],
      };
    }),
};

const frozen: FaultKind = {
  number: 13,
  name: 'page frozen',
  allowedLossMs: 1000,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      await startTake(trial);
      await untilCaptured(trial.page, trial.random.between(1500, 3000));
      const devtools = await trial.browser.context.newCDPSession(trial.page);
      await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
      await new Promise((resolve) => {
        setTimeout(resolve, trial.random.between(1500, 4000));
      });
      await devtools.send('Page.setWebLifecycleState', { state: 'active' });
      const marks = (await capturedAt(trial.page))(Date.now());
      await untilCaptured(trial.page, marks + 500);
      return outcomeOf(await accountFor(trial, await stopTake(trial)));
    }),
};

const tornTail: FaultKind = {
  number: 12,
  name: 'torn tail and junk in the journal',
  allowedLossMs: 1000,
  run: (seed) =>
    withTrial(seed, { proxy: true }, async (trial) => {
      await startTake(trial);
      const lostMs = await tearAfterKill(trial);
      const account = forgiveTail(await accountFor(trial, lostMs.capturedMs), 1000);
      return outcomeOf(account, `junk of ${lostMs.junkBytes} bytes on ${lostMs.files} files`);
    }),
};

/** Kills the browser and appends junk to its journals, as a torn write does. */
async function tearAfterKill(
  trial: Trial,
): Promise<{ capturedMs: number; junkBytes: number; files: number }> {
  await untilCaptured(trial.page, trial.random.between(3000, 6000));
  const stood = await capturedAt(trial.page);
  const capturedMs = stood(await trial.browser.kill());
  const junkBytes = trial.random.between(1, 5000);
  const page = await trial.openBare();
  const files = await page.evaluate(async (sizeBytes) => {
    let torn = 0;
    const tear = async (directory: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of directory.values()) {
        if (entry instanceof FileSystemDirectoryHandle) await tear(entry);
        else if (entry instanceof FileSystemFileHandle && /audio|slot|^[\w-]+$/.test(entry.name)) {
          const { size } = await entry.getFile();
          if (size === 0) continue;
          const stream = await entry.createWritable({ keepExistingData: true });
          await stream.write({
            type: 'write',
            position: size,
            data: crypto.getRandomValues(new Uint8Array(sizeBytes)),
          });
          await stream.close();
          torn += 1;
        }
      }
    };
    await tear(await navigator.storage.getDirectory());
    return torn;
  }, junkBytes);
  await trial.openPage(page, trial.browser.context);
  return { capturedMs, junkBytes, files };
}

export const stopAndCrashKinds: FaultKind[] = [
  plainStop,
  browserKilled,
  rendererCrashed,
  pageHung,
  tornTail,
  frozen,
];
