import { setTimeout as wait } from 'node:timers/promises';
import { accountFor, capturedAt, startTake, stopTake, untilCaptured } from '#tests/faults/world/take.ts';
import { withTrial, type Trial } from '#tests/faults/world/trial.ts';
import { outcomeOf, type FaultKind } from './outcome.ts';

/** Lets the take run for `ms` more milliseconds. */
async function goOnFor({ page }: Trial, ms: number): Promise<void> {
  await untilCaptured(page, (await capturedAt(page))(Date.now()) + ms);
}

const offline: FaultKind = {
  number: 6,
  name: 'offline for 8 s',
  allowedLossMs: 0,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      await startTake(trial);
      await goOnFor(trial, trial.random.between(200, 2500));
      await trial.browser.context.setOffline(true);
      await goOnFor(trial, 8000);
      await trial.browser.context.setOffline(false);
      await goOnFor(trial, trial.random.between(100, 1500));
      return outcomeOf(await accountFor(trial, await stopTake(trial)));
    }),
};

const serverKilled: FaultKind = {
  number: 7,
  name: 'server killed for 5 s',
  allowedLossMs: 0,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      await startTake(trial);
      await goOnFor(trial, trial.random.between(200, 3000));
      await trial.server.end('SIGKILL');
      await goOnFor(trial, 5000);
      await trial.server.start();
      await goOnFor(trial, trial.random.between(100, 1500));
      return outcomeOf(await accountFor(trial, await stopTake(trial)));
    }),
};

const sessionRevoked: FaultKind = {
  number: 8,
  name: 'session revoked mid-take, signed in again in another tab',
  allowedLossMs: 0,
  run: (seed) =>
    withTrial(seed, {}, async (trial) => {
      await startTake(trial);
      await goOnFor(trial, trial.random.between(500, 2500));
      await trial.page.evaluate(async () => {
        await fetch('/auth/logout', { method: 'POST', headers: { 'x-requested-with': 'earshot' } });
      });
      await trial.browser.context.clearCookies();
      await goOnFor(trial, trial.random.between(1000, 2500));
      const first = trial.page;
      const second = await trial.openPage(await trial.browser.context.newPage(), trial.browser.context);
      await trial.signInOnScreen(second);
      await trial.openPage(first, trial.browser.context, { stay: true });
      await first.bringToFront();
      await goOnFor(trial, trial.random.between(300, 1000));
      return outcomeOf(await accountFor(trial, await stopTake(trial)));
    }),
};

const protocolChaos: FaultKind = {
  number: 14,
  name: 'protocol chaos',
  allowedLossMs: 0,
  run: (seed) =>
    withTrial(seed, { proxy: true }, async (trial) => {
      trial.proxy?.misbehave(trial.random);
      await startTake(trial);
      await goOnFor(trial, trial.random.between(5000, 9000));
      const endMs = await stopTake(trial);
      await wait(2000);
      if (trial.proxy) trial.proxy.choose = null;
      const met = [...(trial.proxy?.met ?? [])].map(([fate, times]) => `${fate} ${times}`).join(', ');
      const outcome = outcomeOf(await accountFor(trial, endMs), met);
      return { ...outcome, findings: [...(outcome.findings ?? []), ...(trial.proxy?.violations ?? [])] };
    }),
};

const startWithNothing: FaultKind = {
  number: 19,
  name: 'started with no server and no session, both appear mid-take',
  allowedLossMs: 0,
  run: (seed) =>
    withTrial(seed, { signedOut: true }, async (trial) => {
      // The app is already loaded: the tests of offline mode check that it opens without a server.
      await trial.page.getByRole('button', { name: 'Record', exact: true }).waitFor();
      await trial.page.waitForLoadState('networkidle').catch(() => undefined);
      await trial.server.end('SIGKILL');
      await startTake(trial);
      await goOnFor(trial, trial.random.between(1000, 4000));
      await trial.server.start();
      const first = trial.page;
      const second = await trial.openPage(await trial.browser.context.newPage(), trial.browser.context);
      await trial.signInOnScreen(second);
      await trial.openPage(first, trial.browser.context, { stay: true });
      await first.bringToFront();
      await goOnFor(trial, trial.random.between(1000, 2500));
      return outcomeOf(await accountFor(trial, await stopTake(trial), 90_000));
    }),
};

export const networkAndServerKinds: FaultKind[] = [
  offline,
  serverKilled,
  sessionRevoked,
  protocolChaos,
  startWithNothing,
];
