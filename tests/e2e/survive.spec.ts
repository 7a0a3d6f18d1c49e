import { decodeInBrowser } from '#tests/support/compare-speech.ts';
import { killBrowserOf } from '#tests/support/browser-processes.ts';
import { expect, openBrowser, sharedTest, test } from './earshot-test.ts';
import {
  clockMs,
  gapsOf,
  isSignedIn,
  onlyReadyRecording,
  receiptOf,
  signUp,
  startTake,
  stopTake,
  submitAccount,
  untilClock,
} from './steps.ts';

test(
  'a browser killed mid-take loses at most a second, and the next visit finishes the recording',
  { tag: '@core' },
  async ({ page, profile, server, consoleGuard }) => {
    const user = await signUp(page);
    await startTake(page);
    await untilClock(page, 3000);
    const spokenMs = await clockMs(page);
    killBrowserOf(profile);

    const again = await openBrowser({ profile, baseURL: server.url });
    consoleGuard.watch(again);
    const next = again.pages()[0] ?? (await again.newPage());
    await next.goto(server.url);
    // Chromium writes cookies to disk only occasionally. The session may be lost, but the upload continues.
    await expect.poll(() => receiptOf(next), { timeout: 60_000 }).toBe(true);
    if (!(await isSignedIn(next))) {
      await next.goto('/sign-in');
      await submitAccount(next, user, 'Sign in');
      await expect.poll(() => isSignedIn(next)).toBe(true);
    }
    const recording = await onlyReadyRecording(next);
    expect(spokenMs - recording.durationMs).toBeLessThanOrEqual(1000);
    const heard = await decodeInBrowser(next, `/api/recordings/${recording.id}/audio`);
    expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);
    await again.close();
  },
);

test(
  'a server killed and restarted mid-take loses nothing, and the screen shows what waits for upload',
  { tag: '@core' },
  async ({ page, server, consoleGuard }) => {
    consoleGuard.allow(/ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|Failed to load resource/);
    await signUp(page);
    await startTake(page);
    await untilClock(page, 2000);
    await server.end('SIGKILL');
    await untilClock(page, 4000);
    await expect(page.getByText(/saved only on this device/i).first()).toBeVisible();
    await server.start();
    await untilClock(page, 5000);
    await stopTake(page);
    await expect(page.getByText('Saved on the server').first()).toBeVisible({ timeout: 60_000 });
    const recording = await onlyReadyRecording(page);
    expect(recording.durationMs).toBeGreaterThanOrEqual(5000);
    const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
    expect(Math.abs(heard.durationMs - recording.durationMs)).toBeLessThanOrEqual(50);
    expect(gapsOf(recording)).toEqual([]);
  },
);

test('a server stopped by SIGTERM exits cleanly and keeps what it has received', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|Failed to load resource/);
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  expect(await server.end('SIGTERM')).toBe(0);
  await untilClock(page, 4000);
  await server.start();
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.durationMs).toBeGreaterThanOrEqual(4000);
});

sharedTest('a page reloaded mid-take keeps the audio recorded before', { tag: '@core' }, async ({ page }) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 3000);
  const spokenMs = await clockMs(page);
  page.on('dialog', (dialog) => {
    void dialog.accept();
  });
  await page.reload();
  const recording = await onlyReadyRecording(page);
  expect(spokenMs - recording.durationMs).toBeLessThanOrEqual(1000);
});
