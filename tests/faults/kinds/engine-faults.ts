import { mkdirSync } from 'node:fs';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pairwise } from '#tests/faults/run/pairwise.ts';
import {
  otherEngines,
  withEngineTrial,
  type EngineName,
  type EngineTrial,
  type OutputStart,
  type Recording,
} from '#tests/faults/world/engine-trial.ts';
import { LoopDisk } from '#tests/faults/world/loop-disk.ts';
import { signalAll } from '#tests/faults/world/process-tree.ts';
import { deliveryAllowanceMs, judgeEngine } from './engine-judgement.ts';
import type { FaultKind, Outcome } from './outcome.ts';

/** What happens during a take. Resolves when the take continues undisturbed. */
type Fault = (trial: EngineTrial) => Promise<void>;

const nothing: Fault = async () => undefined;

const offline: Fault = async (trial) => {
  trial.proxy.setOffline(true);
  await trial.goOnFor(8000);
  trial.proxy.setOffline(false);
};

const serverKilled: Fault = async (trial) => {
  await trial.server.end('SIGKILL');
  await trial.goOnFor(5000);
  await trial.server.start();
};

const sessionRevoked: Fault = async (trial) => {
  await trial.call('/auth/logout');
  await trial.goOnFor(2000);
  await trial.call('/auth/login', trial.user);
};

const serverComes: Fault = async (trial) => {
  await trial.goOnFor(2000);
  await trial.server.start();
};

/** Ends the browser in a way of its own. Returns the captured time at that moment. */
type Kill = (trial: EngineTrial, disk: LoopDisk | null) => Promise<number>;

const killBrowser: Kill = async (trial) => {
  const stood = await trial.capturedAt();
  return stood(await trial.engine.kill());
};

const killHungPage: Kill = async (trial) => {
  const stood = await trial.capturedAt();
  trial.engine
    .evaluate('for (const endMs = Date.now() + 60_000; Date.now() < endMs;); return null;')
    .catch(() => undefined);
  await wait(6000);
  return stood(await trial.engine.kill());
};

/** The command lines of the processes that run pages. */
const pageProcess: Record<EngineName, string> = {
  Chromium: '--type=renderer',
  Firefox: ' tab',
  WebKitGTK: 'WebKitWebProcess',
};

const crashRenderer: Kill = async (trial) => {
  const stood = await trial.capturedAt();
  const atMs = Date.now();
  signalAll(trial.engine.pids(pageProcess[trial.options.engine]), 'SIGKILL');
  // The driver of neither engine can open another page in a browser whose page has crashed.
  await wait(1000);
  await trial.engine.kill();
  return stood(atMs);
};

const cutPower: Kill = async (trial, disk) => {
  const stood = await trial.capturedAt();
  const atMs = Date.now();
  signalAll(trial.engine.pids(), 'SIGSTOP');
  const snapshot = disk?.snapshot();
  await trial.engine.kill();
  if (snapshot !== undefined) disk?.restartFrom(snapshot);
  return stood(atMs);
};

/** Appends junk to the files of the take, as a torn write does. Firefox stores them as they are. */
const tearFiles: Kill = async (trial) => {
  const capturedMs = await killBrowser(trial, null);
  const stored = join(trial.profile, 'storage', 'default');
  const files = (await readdir(stored, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && entry.parentPath.split('/').includes('fs') && !entry.name.includes('sqlite'),
  );
  if (files.length === 0) throw new Error('the browser has stored no files');
  for (const { parentPath, name } of files)
    await appendFile(join(parentPath, name), Buffer.from('junk'.repeat(trial.random.between(1, 1000))));
  return capturedMs;
};

interface FaultPlan {
  name: string;
  during?: Fault;
  /** How the browser ends, if the fault says so. Otherwise some takes are stopped, and some are killed. */
  kill?: Kill;
  endsBy?: 'stop';
  needsSession?: boolean;
  isWithoutServer?: boolean;
  /** Only where the browser stores files. */
  needsFiles?: boolean;
  killAllowanceMs?: Record<Recording, number>;
}

/** The most that a killed browser may cost. */
const killMs: Record<Recording, number> = { PCM: 100, 'own recorder': 1000 };

const plans: Record<string, FaultPlan> = {
  1: { name: 'plain stop', endsBy: 'stop' },
  2: { name: 'browser killed', kill: killBrowser },
  3: { name: 'renderer crashed', kill: crashRenderer },
  4: {
    name: 'page hung, then killed',
    kill: killHungPage,
    // The browser's own recorder sends its sound through the page.
    killAllowanceMs: { PCM: 200, 'own recorder': 8000 },
  },
  5: { name: 'power cut', kill: cutPower, killAllowanceMs: { PCM: 1000, 'own recorder': 1000 } },
  6: { name: 'offline for 8 s', during: offline },
  7: { name: 'server killed for 5 s', during: serverKilled },
  8: { name: 'session revoked mid-take', during: sessionRevoked, needsSession: true },
  12: {
    name: 'torn tail and junk in the files',
    kill: tearFiles,
    needsFiles: true,
    killAllowanceMs: { PCM: 1000, 'own recorder': 1000 },
  },
  14: { name: 'protocol chaos' },
  19: { name: 'started with no server', during: serverComes, isWithoutServer: true },
};

const starts: Record<string, OutputStart> = { '0 s': 0, '1.5 s': 1500, '10 s': 10_000, never: null };

const factors = {
  engine: otherEngines,
  fault: Object.keys(plans),
  recording: ['PCM', 'own recorder'],
  output: Object.keys(starts),
  session: ['signed in', 'signed out'],
  end: ['stopped', 'killed'],
};

interface EngineCase {
  engine: EngineName;
  fault: string;
  recording: Recording;
  output: string;
  session: string;
  end: string;
}

const planOf = ({ fault = '' }: { fault?: string }): FaultPlan => plans[fault] ?? { name: '' };

/** What cannot be combined: a kill that is the fault itself, a session that a fault needs, files that are missing. */
function isPossible(one: Record<string, string>): boolean {
  const { kill, endsBy, needsSession, isWithoutServer, needsFiles } = planOf(one);
  return (
    (kill === undefined || one.end === 'killed') &&
    (endsBy === undefined || one.end === 'stopped') &&
    (!needsSession || one.session === 'signed in') &&
    (!isWithoutServer || one.session === 'signed out') &&
    (!needsFiles || one.engine !== 'WebKitGTK')
  );
}

/** Without an output there is no PCM, except where the engine's graph needs no output. */
const tailOf = (
  { recording, output, end, engine }: EngineCase,
  { killAllowanceMs = killMs }: FaultPlan,
): number => {
  if (end === 'stopped') return deliveryAllowanceMs;
  const isRecorder = recording === 'own recorder' || output === 'never';
  return engine === 'Firefox' || isRecorder
    ? killAllowanceMs[isRecorder ? 'own recorder' : 'PCM']
    : killAllowanceMs.PCM;
};

/** A take has to last until its way of recording has settled. */
const settledMs = (output: string): number => (starts[output] ?? 0) + 2500;

async function recordWithFault(
  trial: EngineTrial,
  one: EngineCase,
  disk: LoopDisk | null,
): Promise<Partial<Outcome>> {
  const plan = planOf(one);
  if (one.fault === '14') trial.proxy.misbehave(trial.random);
  if (plan.isWithoutServer) {
    // The app is complete: other tests open it without a server.
    await trial.engine.evaluate('await navigator.serviceWorker.ready; return null;');
    await trial.server.end('SIGKILL');
  }
  await trial.press('Record');
  await trial.untilClock(trial.random.between(500, 2500));
  const times = await trial.pressTimes();
  await (plan.during ?? nothing)(trial);
  await trial.untilClock(settledMs(one.output) + trial.random.between(0, 3000));
  const end = one.end === 'killed' ? await killAndReopen(trial, plan, disk) : await stop(trial);
  if (one.session === 'signed out') await trial.signInAndClaim();
  const account = await trial.account(end);
  return judgeEngine(trial, account, { times, allowedTailMs: tailOf(one, plan) });
}

async function stop(trial: EngineTrial): Promise<{ stoppedAtMs: number }> {
  const stoppedAtMs = Date.now();
  await trial.press('Stop');
  await wait(trial.proxy.choose === null ? 0 : 2000);
  trial.proxy.choose = null;
  return { stoppedAtMs };
}

async function killAndReopen(
  trial: EngineTrial,
  { kill = killBrowser }: FaultPlan,
  disk: LoopDisk | null,
): Promise<{ capturedMs: number }> {
  const capturedMs = await kill(trial, disk);
  trial.proxy.choose = null;
  await trial.open();
  return { capturedMs };
}

async function runCase(seed: number, one: EngineCase): Promise<Partial<Outcome>> {
  const disk = one.fault === '5' ? LoopDisk.open() : null;
  if (typeof disk === 'string') return { skipped: disk };
  const profile = disk === null ? undefined : join(disk.directory, 'profile');
  if (profile !== undefined) mkdirSync(profile);
  try {
    const outcome = await withEngineTrial(
      seed,
      {
        engine: one.engine,
        recording: one.recording,
        outputStartMs: starts[one.output] ?? null,
        signedOut: one.session === 'signed out',
        ...(profile === undefined ? {} : { profile }),
      },
      (trial) => recordWithFault(trial, one, disk),
    );
    return typeof outcome === 'string' ? { skipped: outcome } : outcome;
  } finally {
    disk?.dispose();
  }
}

const asCase = (one: Record<string, string>): EngineCase => one as unknown as EngineCase;

const kindOf = (one: EngineCase): FaultKind => ({
  number: Number(one.fault),
  name: `${planOf(one).name}: ${one.engine}, ${one.recording}, output after ${one.output}, ${one.session}, ${one.end}`,
  allowedLossMs: tailOf(one, planOf(one)),
  places: 2,
  typicalMs: 40_000,
  ...(one.fault === '5' ? { needs: 'disk' } : {}),
  run: (seed) => runCase(seed, one),
});

/** What no case covers, with the reason. */
export const notTried = [
  '12 torn tail in WebKitGTK: it has no files (its features StorageAPI and FileSystem are off by default)',
];

/** Firefox without an audio graph, killed, opened again, signed up and claimed: the server must have every byte. */
const claimAfterKill: EngineCase = {
  engine: 'Firefox',
  fault: '2',
  recording: 'PCM',
  output: 'never',
  session: 'signed out',
  end: 'killed',
};

/** Faults in Firefox and WebKitGTK with a real sound server. All pairs of the factors' values are covered. */
export const engineFaults: FaultKind[] = [
  claimAfterKill,
  ...pairwise(factors, { isPossible, seed: 1 }).map(asCase),
].map(kindOf);
