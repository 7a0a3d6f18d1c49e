import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendAll, playedBytes, startTake } from '#tests/support/api-client.ts';
import { balance } from '#tests/faults/signal/account.ts';
import { synthesize, writeWav } from '#tests/faults/signal/coded-signal.ts';
import { readCodes } from '#tests/faults/signal/read-codes.ts';
import { decode, heardRateHz } from '#tests/faults/world/listen.ts';
import { withTrial, type Trial } from '#tests/faults/world/trial.ts';
import type { FaultKind, Outcome } from './outcome.ts';

const cuts = 50;
const spokenMs = 12_000;

/**
 * Twelve seconds of coded signal as a device sends them: Ogg/Opus in pages of 200 ms, by an independent encoder.
 */
function encoded(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-cuts-'));
  try {
    writeWav(join(folder, 'signal.wav'), synthesize(20, 20 + spokenMs / 100));
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-i',
      join(folder, 'signal.wav'),
      '-c:a',
      'libopus',
      '-b:a',
      '48k',
      '-ar',
      '48000',
      '-page_duration',
      '200000',
      join(folder, 'signal.ogg'),
    ]);
    return readFileSync(join(folder, 'signal.ogg'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Played {
  durationMs: number;
  soughtMs: number;
  endedMs: number;
}

/**
 * Plays a file in the browser and returns its reported duration, where a seek to its middle leads, and where it
 * ends.
 */
async function playIn({ page }: Trial, id: string): Promise<Played> {
  return page.evaluate(async (url) => {
    const audio = new Audio(url);
    audio.muted = true;
    const event = (name: string) =>
      new Promise<void>((resolve, reject) => {
        audio.addEventListener(
          name,
          () => {
            resolve();
          },
          { once: true },
        );
        audio.addEventListener(
          'error',
          () => {
            reject(new Error(audio.error?.message ?? 'no sound'));
          },
          { once: true },
        );
        setTimeout(() => {
          reject(new Error(`no ${name}`));
        }, 10_000);
      });
    await event('loadedmetadata');
    const durationMs = audio.duration * 1000;
    const sought = event('seeked');
    audio.currentTime = audio.duration / 2;
    await sought;
    const soughtMs = audio.currentTime * 1000;
    const soughtEnd = event('seeked');
    audio.currentTime = Math.max(0, audio.duration - 0.3);
    await soughtEnd;
    const ended = event('ended');
    await audio.play();
    await ended;
    return { durationMs, soughtMs, endedMs: audio.currentTime * 1000 };
  }, `/api/recordings/${id}/audio`);
}

function judge({ durationMs, soughtMs, endedMs }: Played, lengthMs: number): string[] {
  const findings: string[] = [];
  if (Math.abs(durationMs - lengthMs) > 60)
    findings.push(`said ${Math.round(durationMs)} ms of ${Math.round(lengthMs)} ms`);
  if (Math.abs(soughtMs - durationMs / 2) > 100)
    findings.push(`sought ${Math.round(soughtMs)} ms for ${Math.round(durationMs / 2)} ms`);
  if (Math.abs(endedMs - durationMs) > 100)
    findings.push(`ended at ${Math.round(endedMs)} ms of ${Math.round(durationMs)} ms`);
  return findings;
}

async function playCut(
  trial: Trial,
  whole: Buffer,
): Promise<{ findings: string[]; lostMs: number; lengthMs: number }> {
  const sizeBytes = trial.random.between(4000, whole.length - 1);
  const take = await startTake(trial.client, `Cut at ${sizeBytes}`);
  await appendAll(
    trial.client,
    { uploadId: take.audioId, token: take.token },
    { bytes: whole.subarray(0, sizeBytes) },
  );
  const samples = await decode(await playedBytes(trial.client, take.recordingId));
  const lengthMs = (samples.length / heardRateHz) * 1000;
  const account = balance(readCodes(samples, heardRateHz), [], {
    timelineMs: lengthMs,
    expectedEndMs: lengthMs,
  });
  const played = await playIn(trial, take.recordingId);
  return {
    findings: [...account.findings, ...judge(played, lengthMs)].map(
      (finding) => `cut at ${sizeBytes} bytes: ${finding}`,
    ),
    lostMs: account.unexplainedMs,
    lengthMs,
  };
}

async function playCuts(trial: Trial): Promise<Partial<Outcome>> {
  const whole = encoded();
  const outcome = { capturedMs: 0, storedMs: 0, unexplainedMs: 0, findings: new Array<string>() };
  for (let cut = 0; cut < cuts; cut += 1) {
    const { findings, lostMs, lengthMs } = await playCut(trial, whole);
    outcome.capturedMs += lengthMs;
    outcome.storedMs += lengthMs - lostMs;
    outcome.unexplainedMs += lostMs;
    outcome.findings.push(...findings);
  }
  return { ...outcome, notes: `${cuts} cuts` };
}

export const cutFileKinds: FaultKind[] = [
  {
    number: 17,
    name: '50 random cuts played',
    allowedLossMs: 0,
    typicalMs: 50_000,
    timeLimitMs: 240_000,
    run: (seed) => withTrial(seed, {}, playCuts),
  },
];
