import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { expect, test } from './earshot-test.ts';
import { play, positionSlider } from './player-steps.ts';
import { listed, onlyReadyRecording, positionMs, signUp, startTake, stopTake, untilClock } from './steps.ts';

/** Signs up and records until the server has a part of the take. Returns its id. */
async function startListedTake(page: Page): Promise<string> {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1000);
  await expect.poll(async () => (await listed(page)).length).toBe(1);
  return (await listed(page))[0]?.id ?? '';
}

/** The length of the recording that the player shows. */
const lengthMsOf = async (player: Page): Promise<number> =>
  Number(await positionSlider(player).getAttribute('aria-valuemax'));

/** Downloads the recording that the player shows, as recorded. */
async function downloadOf(player: Page): Promise<Buffer> {
  await player.getByRole('button', { name: 'Download' }).click();
  const downloading = player.waitForEvent('download');
  await player.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  return readFile(await (await downloading).path());
}

test('playback resumes without a press after the server was killed, and its controls stay where they are', async ({
  page,
  server,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/net::ERR_/);
  await signUp(page);
  const id = await uploadLongRecording(server.url, await cookieHeader(browserContext, server.url));
  await page.goto(`/recordings/${id}`);
  await play(page);
  await expect.poll(() => positionMs(page)).toBeGreaterThan(100);
  const pause = page
    .getByRole('region', { name: 'Player' })
    .getByRole('button', { name: 'Pause', exact: true });
  const place = await pause.boundingBox();

  await server.end('SIGKILL');
  const box = await positionSlider(page).boundingBox();
  if (!box) throw new Error('the waveform has no box');
  await page.mouse.click(box.x + box.width * 0.8, box.y + box.height / 2);
  const soughtMs = await positionMs(page);
  await expect(page.getByText('Connection lost. Playback resumes automatically.')).toBeVisible();
  expect(await pause.boundingBox()).toEqual(place);

  await server.start();
  await expect.poll(() => positionMs(page), { timeout: 30_000 }).toBeGreaterThan(soughtMs + 200);
  await expect(page.getByText(/Connection lost|Couldn’t load the audio/)).toHaveCount(0);
});

test('a take that was stopped without the server is shown and played whole in every tab', async ({
  page,
  server,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/net::ERR_|Failed to load resource/);
  const recordingId = await startListedTake(page);
  const player = await browserContext.newPage();
  await player.goto(`/recordings/${recordingId}`);
  const lengthMs = () => lengthMsOf(player);
  await expect.poll(lengthMs).toBeGreaterThan(500);
  const library = await browserContext.newPage();
  await library.goto('/library');
  await expect(library.locator(`a[href="/recordings/${recordingId}"]`)).toBeVisible();

  await server.end('SIGKILL');
  const toldMs = await lengthMs();
  await page.bringToFront();
  await untilClock(page, toldMs + 4000);
  await stopTake(page);
  await expect(library.getByText(/^00:(0[5-9]|1\d)$/)).toBeVisible();
  await player.bringToFront();
  await expect.poll(lengthMs).toBeGreaterThan(toldMs + 3500);
  await expect(player.getByRole('button', { name: 'Go to live' })).toBeHidden();
  await play(player);
  await expect.poll(() => positionMs(player)).toBeGreaterThan(100);
  await positionSlider(player).press('End');
  await expect.poll(() => positionMs(player)).toBeGreaterThan(toldMs + 500);
  await expect(player.getByText(/Connection lost|Couldn’t load the audio/)).toHaveCount(0);

  await server.start();
  await expect
    .poll(async () => (await listed(page)).map(({ state }) => state), { timeout: 60_000 })
    .toEqual(['ready']);
  const { durationMs } = await onlyReadyRecording(page);
  await expect
    .poll(async () => Math.abs((await lengthMs()) - durationMs), { timeout: 30_000 })
    .toBeLessThanOrEqual(1);
  await positionSlider(player).press('Home');
  await play(player);
  await expect.poll(() => positionMs(player)).toBeGreaterThan(100);
});

test('a take that the server has in part plays on when its page closes, and is whole in the trash', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/net::ERR_|Failed to load resource/);
  const recordingId = await startListedTake(page);
  await browserContext.route('**/api/uploads/**', (route) => route.abort());
  await untilClock(page, 8000);
  await stopTake(page);

  const player = await browserContext.newPage();
  await player.goto(`/recordings/${recordingId}`);
  await expect.poll(() => lengthMsOf(player)).toBeGreaterThan(7500);
  await play(player);
  await player.getByRole('link', { name: 'Trash', exact: true }).first().click();
  await expect(player).toHaveURL(/\/trash$/);
  const bar = player.getByRole('region', { name: 'Player' });
  await expect(bar.getByText(/00:(0[89]|1\d)/)).toBeVisible();
  await expect(bar.getByText(/^00:0[1-9]/).first()).toBeVisible();

  const deleted = await browserContext.request.delete(`/api/recordings/${recordingId}`, {
    headers: appHeaders,
  });
  expect(deleted.ok()).toBe(true);
  await expect(player.getByRole('main').getByText(/^00:(0[89]|1\d)$/)).toBeVisible();
  await player.goto(`/recordings/${recordingId}`);
  await expect(player.getByText('This recording is in the trash.')).toBeVisible();
  await expect.poll(() => lengthMsOf(player)).toBeGreaterThan(7500);
  await expect(player.getByText('Recording now')).toHaveCount(0);
});

test('a stopped take with a slow upload is played and downloaded whole, and its receipt interrupts nothing', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/net::ERR_|Failed to load resource/);
  const recordingId = await startListedTake(page);
  await browserContext.route('**/api/uploads/**', (route) => route.abort());
  await untilClock(page, 8000);
  await stopTake(page);
  const library = await browserContext.newPage();
  await library.goto('/library');
  await expect(library.getByText(/^00:(0[89]|1\d)$/)).toBeVisible();
  await expect(library.getByRole('link', { name: 'Download' })).toHaveCount(0);
  await library.getByRole('button', { name: 'Play', exact: true }).click();
  const mini = library.getByRole('region', { name: 'Player' });
  await expect(mini.getByText(/00:(0[89]|1\d)/)).toBeVisible();
  await library.close();

  const player = await browserContext.newPage();
  await player.goto(`/recordings/${recordingId}`);
  const lengthMs = () => lengthMsOf(player);
  await expect.poll(lengthMs).toBeGreaterThan(7500);
  const takeMs = await lengthMs();
  expect((await downloadOf(player)).length).toBeGreaterThan(takeMs * 4);
  await play(player);
  await expect.poll(() => positionMs(player)).toBeGreaterThan(100);
  await player.evaluate(() => {
    const shortest = { ms: Infinity };
    Object.assign(globalThis, { shortest });
    setInterval(() => {
      const length = document.querySelector('[role=slider][aria-valuemax]')?.getAttribute('aria-valuemax');
      shortest.ms = Math.min(shortest.ms, Number(length ?? Infinity));
    }, 10);
  });
  await browserContext.unroute('**/api/uploads/**');
  const { durationMs } = await onlyReadyRecording(page);
  await expect.poll(() => positionMs(player), { timeout: 30_000 }).toBeGreaterThan(durationMs - 200);
  expect(
    await player.evaluate(() => (globalThis as unknown as { shortest: { ms: number } }).shortest.ms),
  ).toBeGreaterThan(durationMs - 200);
});
