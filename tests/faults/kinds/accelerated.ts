import { openWorkerMemory } from '../../../bench/worker-memory.ts';
import { withTrial, type Trial } from '#tests/faults/world/trial.ts';
import { accelerate } from '#tests/faults/world/accelerated-take.ts';
import { balance } from '#tests/faults/signal/account.ts';
import { codeCount, codeMs } from '#tests/faults/signal/coded-signal.ts';
import { readCodes } from '#tests/faults/signal/read-codes.ts';
import { playedBytes } from '#tests/support/api-client.ts';
import { finished } from '#tests/faults/world/take.ts';
import { decode, heardRateHz } from '#tests/faults/world/listen.ts';
import type { FaultKind, Outcome } from './outcome.ts';

const minute = 60_000;
/**
 * The most that the worker's memory, after garbage collection, may grow between a third of the take and its end.
 */
const flatMiB = 2;

async function longTake(trial: Trial, lengthMs: number): Promise<Partial<Outcome>> {
  const take = await accelerate(trial);
  const memory = await openWorkerMemory(trial.browser.context, trial.page);
  const startedAtMs = Date.now();
  await take.feed(lengthMs / 3);
  const earlyMiB = await memory.heldMiB();
  await take.feed(lengthMs);
  const lateMiB = await memory.heldMiB();
  const times = lengthMs / (Date.now() - startedAtMs);
  await take.stop();
  const recording = await finished(trial);
  const bytes = await playedBytes(trial.client, recording.id);
  const samples = await decode(bytes);
  const timelineMs = (samples.length / heardRateHz) * 1000;
  const findings =
    Math.abs(timelineMs - lengthMs) > 40
      ? [`${lengthMs} ms were fed, ${Math.round(timelineMs)} ms are stored`]
      : [];
  if (lateMiB - earlyMiB > flatMiB)
    findings.push(`what the worker holds rose from ${earlyMiB.toFixed(1)} to ${lateMiB.toFixed(1)} MiB`);
  let unexplainedMs = Math.max(0, lengthMs - timelineMs - 40);
  // The codes repeat after ten minutes. Only sample windows are checked, because checking all audio would take
  // longer than making it.
  for (let window = 0; window < 12; window += 1) {
    const fromMs = trial.random.between(0, Math.floor(lengthMs / 1000) - 11) * 1000;
    const part = samples.subarray((fromMs * heardRateHz) / 1000, ((fromMs + 10_000) * heardRateHz) / 1000);
    const heard = readCodes(part, heardRateHz);
    const account = balance(heard, [], { timelineMs: 10_000, expectedEndMs: 10_000 });
    const shiftMs = ((heard[0]?.offsetMs ?? 0) - fromMs) % (codeCount * codeMs);
    const wrapped = fromMs % (codeCount * codeMs) > codeCount * codeMs - 10_000;
    if (wrapped) continue;
    unexplainedMs += account.unexplainedMs;
    findings.push(...account.findings.map((finding) => `from ${fromMs} ms: ${finding}`));
    if (Math.abs(shiftMs) > 40)
      findings.push(`at ${fromMs} ms the sound of ${Math.round(fromMs + shiftMs)} ms is heard`);
  }
  return {
    capturedMs: lengthMs,
    storedMs: timelineMs,
    unexplainedMs,
    findings,
    notes: `${Math.round(lengthMs / minute)} min at ${Math.round(times)} times real time, the worker holds ${earlyMiB.toFixed(1)} → ${lateMiB.toFixed(1)} MiB`,
  };
}

const soundMinutes = Number(process.env.FAULT_MINUTES ?? '30');

export const acceleratedKinds: FaultKind[] = [
  {
    number: 15,
    name: `${soundMinutes} minutes accelerated`,
    allowedLossMs: 0,
    places: 3,
    typicalMs: 45_000,
    timeLimitMs: 2 * 60 * minute,
    run: (seed) => withTrial(seed, {}, (trial) => longTake(trial, soundMinutes * minute)),
  },
];
