import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import { startTake, stopTake, untilClock } from './steps.ts';

/** Counts the microphones that this page opens: those still open, and all of them. */
const watchMicrophones = (page: Page) =>
  page.addInitScript(() => {
    const opened: MediaStreamTrack[] = [];
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await ask(constraints);
      opened.push(...stream.getTracks());
      return stream;
    };
    Object.assign(globalThis, { opened });
  });
const opened = (page: Page) =>
  page.evaluate(() => {
    const { opened: tracks } = globalThis as unknown as { opened: MediaStreamTrack[] };
    return { ever: tracks.length, now: tracks.filter(({ readyState }) => readyState === 'live').length };
  });

/** Makes the page see itself as hidden or visible, as when another tab is in front. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (hidden ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

test('the level is checked only if switched on during this visit, and the microphone closes whenever the page is not visible', async ({
  page,
  browserContext,
}) => {
  await browserContext.grantPermissions(['microphone']);
  await watchMicrophones(page);
  await page.goto('/');
  const check = page.getByRole('switch', { name: 'Check level' });
  await expect(check).not.toBeChecked();
  expect(await opened(page)).toEqual({ ever: 0, now: 0 });

  await check.focus();
  await page.keyboard.press('Space');
  const meter = page.getByRole('meter', { name: 'Level' });
  await expect(page).toHaveTitle(/^● Microphone on · /);
  await expect.poll(async () => Number(await meter.getAttribute('value'))).toBeGreaterThan(0);
  await setHidden(page, true);
  await expect.poll(() => opened(page)).toMatchObject({ now: 0 });
  await setHidden(page, false);
  await expect.poll(() => opened(page)).toMatchObject({ now: 1 });
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await expect.poll(() => opened(page)).toMatchObject({ now: 0 });
  await expect(page).not.toHaveTitle(/Microphone on/);

  // The next visit starts without it, also after a reload.
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  await expect(check).not.toBeChecked();
  await page.goto('/');
  await expect(check).not.toBeChecked();
  expect(await opened(page)).toEqual({ ever: 0, now: 0 });

  // Record replaces the check's microphone.
  await check.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => opened(page)).toEqual({ ever: 1, now: 1 });
  await startTake(page);
  expect(await opened(page)).toEqual({ ever: 2, now: 1 });
  await expect(check).toHaveCount(0);
  await untilClock(page, 1500);
  await stopTake(page);
  await expect(page.getByRole('button', { name: 'Continue recording', exact: true })).toBeVisible();
  await expect.poll(() => opened(page)).toMatchObject({ now: 0 });
});

test('where the browser would prompt, the page opens no microphone before a press', async ({
  page,
  browserContext,
}) => {
  await browserContext.clearPermissions();
  await watchMicrophones(page);
  await page.addInitScript(() => {
    const ask = navigator.permissions.query.bind(navigator.permissions);
    navigator.permissions.query = async (options) =>
      (options.name as string) === 'microphone'
        ? (Object.assign(new EventTarget(), { state: 'prompt' }) as PermissionStatus)
        : ask(options);
  });
  await page.goto('/');
  await expect(page.getByText(/Your browser will ask to use the microphone/)).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Check level' })).not.toBeChecked();
  expect(await opened(page)).toEqual({ ever: 0, now: 0 });
});
