import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, openBrowser, sharedTest, test } from './earshot-test.ts';
import { openSpeech, play, positionSlider } from './player-steps.ts';
import { isSignedIn, outboxOf, positionMs, signIn, startTake, stopTake, untilClock } from './steps.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Player' });
const storedPositionMs = (page: Page, id: string): Promise<number> =>
  page.evaluate(
    async (recordingId) =>
      (
        (await (await fetch(`/api/recordings/${recordingId}/position`)).json()) as {
          position: { positionMs: number } | null;
        }
      ).position?.positionMs ?? Number.NaN,
    id,
  );
const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click();

sharedTest(
  'playback continues across screens, can be controlled there, pauses during a take, and can be closed',
  async ({ page }) => {
    const { id } = await openSpeech(page);
    await play(page);
    await expect.poll(() => positionMs(page)).toBeGreaterThan(300);
    await goTo(page, 'Library');
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
    await expect(bar(page).getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
    const seenMs = Number(await bar(page).getByRole('slider', { name: 'Position' }).inputValue());
    await expect
      .poll(async () => Number(await bar(page).getByRole('slider', { name: 'Position' }).inputValue()), {
        message: 'playback continues',
      })
      .toBeGreaterThan(seenMs);
    await bar(page).getByRole('button', { name: 'Back 15 seconds' }).click();
    await expect
      .poll(async () => Number(await bar(page).getByRole('slider', { name: 'Position' }).inputValue()))
      .toBeLessThanOrEqual(2000);

    await goTo(page, 'Record');
    await startTake(page);
    await expect(bar(page).getByText('Playback is paused while you record')).toBeVisible();
    await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeDisabled();
    await untilClock(page, 1200);
    await stopTake(page);
    await expect(bar(page).getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await bar(page).getByRole('link').first().click();
    await expect(page).toHaveURL(new RegExp(`/recordings/${id}$`));
    await expect(positionSlider(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Close player' })).toHaveCount(0);
    await goTo(page, 'Library');
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
    await expect(bar(page), 'a paused recording shows no bar on other screens').toHaveCount(0);
  },
);

sharedTest(
  'a playback position set offline reaches the server on the next visit',
  async ({ page, browserContext, consoleGuard }) => {
    consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
    const { id } = await openSpeech(page);
    await page.keyboard.press('5');
    await play(page);
    await expect.poll(() => positionMs(page)).toBeGreaterThan(6000);
    await browserContext.setOffline(true);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const leftMs = await positionMs(page);
    await expect.poll(async () => (await outboxOf(page)).map(({ kind }) => kind)).toEqual(['position']);
    await page.close();

    await browserContext.setOffline(false);
    const next = await browserContext.newPage();
    await next.goto('/settings/storage');
    await expect
      .poll(async () => Math.abs((await storedPositionMs(next, id)) - leftMs))
      .toBeLessThanOrEqual(50);
    await expect.poll(() => outboxOf(next)).toEqual([]);
  },
);

test('resumes a recording at its last position, also on another device, and starts over on request', async ({
  page,
  server,
  consoleGuard,
}) => {
  const { id, user } = await openSpeech(page);
  // The first and last three seconds are not resumed, and a slow machine pauses late.
  await page.keyboard.press('3');
  await play(page);
  await expect.poll(() => positionMs(page)).toBeGreaterThan(3500);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const leftMs = await positionMs(page);
  await expect
    .poll(async () => Math.abs((await storedPositionMs(page, id)) - leftMs))
    .toBeLessThanOrEqual(50);
  await page.reload();
  await expect(page.getByText(/^Resuming at/)).toBeVisible();
  expect(Math.abs((await positionMs(page)) - leftMs)).toBeLessThanOrEqual(50);

  const profile = mkdtempSync(join(tmpdir(), 'earshot-elsewhere-'));
  const elsewhere = await openBrowser({ profile, baseURL: server.url });
  consoleGuard.watch(elsewhere);
  try {
    const there = elsewhere.pages()[0] ?? (await elsewhere.newPage());
    await signIn(there, user);
    expect(await isSignedIn(there)).toBe(true);
    await there.goto(new URL(page.url()).pathname);
    await expect(there.getByText(/^Resuming at/)).toBeVisible();
    expect(Math.abs((await positionMs(there)) - leftMs)).toBeLessThanOrEqual(50);
    await there.getByRole('button', { name: 'Start over' }).click();
    expect(await positionMs(there)).toBe(0);
    await expect(there.getByText(/^Resuming at/)).toHaveCount(0);
  } finally {
    await elsewhere.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
