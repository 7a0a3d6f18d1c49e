import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { newId } from '#tests/support/api-client.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { storeSpeech } from '#tests/support/stored-speech.ts';
import { expect, openBrowser, type BrowserOptions, type Fixtures } from './earshot-test.ts';
import { listed, signUp, startTake, untilClock } from './steps.ts';

/** Sends a call of the API as the user of a page: `DELETE /api/shares/1`. */
export async function callAs(page: Page, call: string, data?: object): Promise<unknown> {
  const [method = '', path = ''] = call.split(' ');
  const reply = await page.context().request.fetch(path, {
    method,
    headers: appHeaders,
    ...(data === undefined ? {} : { data }),
  });
  expect([path, reply.ok()]).toEqual([path, true]);
  return reply.status() === 204 ? null : reply.json();
}

/** Shares a recording of the page's user. */
export const shareRecording = async (
  page: Page,
  recordingId: string,
  settings: Partial<NewShare> = {},
): Promise<Share & { url: string }> =>
  (await callAs(page, `POST /api/recordings/${recordingId}/shares`, {
    id: newId(),
    ...settings,
  })) as Share & { url: string };

/** Signs up, stores eleven seconds of speech with two markers, and shares it with everything shown. */
export async function shareSpeech(
  page: Page,
  settings: Partial<NewShare> = {},
): Promise<Share & { url: string }> {
  await signUp(page);
  const { origin } = new URL(page.url());
  const id = await storeSpeech(origin, await cookieHeader(page.context(), origin));
  for (const [atMs, label] of [
    [1500, 'Fellow Americans'],
    [6000, 'Your country'],
  ] as const)
    await callAs(page, `POST /api/recordings/${id}/markers`, { id: newId(), atMs, label });
  const shows = { title: true, owner: true, date: true, markers: true, notes: true, gaps: true };
  await expect
    .poll(async () => {
      const { state } = (await callAs(page, `GET /api/recordings/${id}`)) as { state: string };
      return state;
    })
    .toBe('ready');
  return shareRecording(page, id, { shows, ...settings });
}

/** Signs up, records until a moment, and shares the running take live. */
export async function shareLive(
  page: Page,
  untilMs: number,
  live: Partial<NonNullable<Share['live']>> = {},
): Promise<Share & { url: string }> {
  await signUp(page);
  await startTake(page);
  await untilClock(page, untilMs);
  const [recording] = await listed(page);
  return shareRecording(page, recording?.id ?? '', {
    live: { delayMs: 0, isHeldAfterStop: false, ...live },
  });
}

/** Robots name themselves, and headless browsers are taken for robots, whose visits do not count. */
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Runs steps in a listener's browser: another one, without an account. */
export async function asListener(
  { server, consoleGuard }: Pick<Fixtures, 'server' | 'consoleGuard'>,
  options: Partial<BrowserOptions>,
  steps: (page: Page) => Promise<void>,
): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'earshot-listener-'));
  const browser = await openBrowser({ profile, baseURL: server.url, userAgent, ...options });
  consoleGuard.watch(browser);
  try {
    await steps(browser.pages()[0] ?? (await browser.newPage()));
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const placeSlider = (page: Page): Locator => page.getByRole('slider', { name: 'Playback position' });
export const playedMs = async (page: Page): Promise<number> =>
  Number(await placeSlider(page).getAttribute('aria-valuenow'));
export const playButton = (page: Page): Locator => page.getByRole('button', { name: 'Play recording' });
export const pauseButton = (page: Page): Locator => page.getByRole('button', { name: 'Pause playback' });

/** Waits until playback has advanced beyond a moment. */
export const untilPlayed = (page: Page, ms: number): Promise<void> =>
  expect.poll(() => playedMs(page), { message: `playback reaches ${ms} ms` }).toBeGreaterThan(ms);
