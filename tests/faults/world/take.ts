import type { Page } from '@playwright/test';
import type { RecordingDetails, RecordingPage } from '#contract/recordings.ts';
import { balance, type Account } from '#tests/faults/signal/account.ts';
import { readCodes } from '#tests/faults/signal/read-codes.ts';
import { decode, heardRateHz } from './listen.ts';
import { playedBytes } from '#tests/support/api-client.ts';
import type { CaptureMark, Trial } from './trial.ts';

const timeoutMs = 45_000;

/**
 * Polls until `ask` returns a value that is not null.
 * @throws Error after `withinMs`.
 */
export async function until<T>(ask: () => Promise<T | null>, what: string, withinMs = timeoutMs): Promise<T> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer !== null) return answer;
    if (Date.now() > endMs) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

async function marksOf(page: Page): Promise<CaptureMark[]> {
  return page.evaluate(() => {
    const marks: unknown = Reflect.get(globalThis, 'earshotMarks');
    return Array.isArray(marks) ? marks : [];
  });
}

/**
 * Presses a button as soon as it exists. Unlike a click, this needs no rendered frame, which a hidden or starved
 * page does not get.
 */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).dispatchEvent('click');
}

/** Presses Record and waits for the first audio. */
export async function startTake({ page }: Pick<Trial, 'page'>): Promise<void> {
  await press(page, 'Record');
  try {
    await untilCaptured(page, 200);
  } catch (error) {
    const shown = await page
      .evaluate(() => document.body.innerText.replaceAll(/\s+/g, ' ').slice(0, 400))
      .catch(String);
    throw new Error(`${String(error)}; the screen says: ${shown}`, { cause: error });
  }
}

export async function untilCaptured(page: Page, ms: number): Promise<void> {
  await until(
    async () => ((await marksOf(page)).at(-1)?.capturedMs ?? 0) >= ms || null,
    `capture of ${ms} ms`,
  );
}

/** Returns a function from wall-clock time to captured time, by the least delayed of the last progress messages. */
export function capturedBy(marks: CaptureMark[]): (atMs: number) => number {
  const ahead = Math.max(...marks.slice(-12).map(({ capturedMs, atMs }) => capturedMs - atMs));
  return (atMs) => atMs + ahead;
}

export const capturedAt = async (page: Page): Promise<(atMs: number) => number> =>
  capturedBy(await marksOf(page));

/** Presses Stop. Returns the captured length at that moment. */
export async function stopTake({ page }: Pick<Trial, 'page'>): Promise<number> {
  const last = (await marksOf(page)).at(-1)?.capturedMs ?? 0;
  await press(page, 'Stop');
  return last;
}

/** Waits until the server has exactly one recording and it is ready, and returns it. */
export async function finished(
  { client }: Pick<Trial, 'client'>,
  withinMs = timeoutMs,
): Promise<RecordingDetails> {
  const id = await until(
    async () => {
      const { items } = (await client.json('GET', '/api/recordings')) as RecordingPage;
      const [only] = items;
      return items.length === 1 && only?.state === 'ready' ? only.id : null;
    },
    'a finished recording',
    withinMs,
  );
  return (await client.json('GET', `/api/recordings/${id}`)) as RecordingDetails;
}

/** The server's current copy, also during recording. */
export async function copyOnServer(trial: Trial): Promise<Buffer> {
  const {
    items: [only],
  } = (await trial.client.json('GET', '/api/recordings')) as RecordingPage;
  if (!only) throw new Error('the server has no recording');
  return playedBytes(trial.client, only.id);
}

/** Decodes the served recording and compares it with the captured audio. */
export async function accountFor(
  trial: Pick<Trial, 'client'>,
  expectedEndMs: number,
  withinMs = timeoutMs,
): Promise<Account & { recording: RecordingDetails }> {
  const recording = await finished(trial, withinMs);
  const samples = await decode(await playedBytes(trial.client, recording.id));
  const timelineMs = (samples.length / heardRateHz) * 1000;
  const account = balance(readCodes(samples, heardRateHz), recording.gaps, { timelineMs, expectedEndMs });
  if (Math.abs(timelineMs - recording.durationMs) > 60)
    account.findings.push(
      `the recording says ${recording.durationMs} ms, its sound is ${Math.round(timelineMs)} ms long`,
    );
  return { ...account, recording };
}
