import type { BrowserContext, Page } from '@playwright/test';
import { killBrowserOf } from '#tests/support/browser-processes.ts';
import { expect, openBrowser, test } from './earshot-test.ts';
import {
  audioBytesOnDisk,
  audioSlotOf,
  clockMs,
  expectKilled,
  expectWhole,
  isSignedIn,
  listed,
  onlyReadyRecording,
  receiptOf,
  signIn,
  signUp,
  startTake,
  takesOnDevice,
  untilClock,
} from './steps.ts';

/** Truncates the device's only take as a power cut may: its file is cut and its write-ahead log is gone. */
async function cutAudioTo(page: Page, sizeBytes: number): Promise<void> {
  const slotName = await audioSlotOf(page);
  await page.evaluate(
    async ({ name, size }) => {
      const slots = await (await navigator.storage.getDirectory()).getDirectoryHandle('slots');
      const stream = await (await slots.getFileHandle(name)).createWritable({ keepExistingData: true });
      await stream.truncate(size);
      await stream.close();
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('earshot');
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('log', 'readwrite');
          transaction.objectStore('log').clear();
          transaction.addEventListener('error', () => {
            reject(transaction.error ?? new Error('the log could not be cleared'));
          });
          transaction.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      });
    },
    { name: slotName, size: sizeBytes },
  );
}

/**
 * Leaves the take unfinished: closes its page while a bare page of the same origin, which does not load the app,
 * stays open.
 */
async function leaveUnfinished(context: BrowserContext, page: Page): Promise<Page> {
  const bare = await context.newPage();
  await bare.goto('/robots.txt');
  await page.close({ runBeforeUnload: false });
  await expect.poll(() => bare.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(0);
  return bare;
}

for (const [what, retainedBytes] of [
  ['half of its copy', 12_000],
  ['its whole copy', 0],
] as const) {
  test(`a device that lost ${what} in a power cut finishes the recording with the server's data`, async ({
    page,
    browserContext,
    server,
  }) => {
    await signUp(page);
    await startTake(page);
    await untilClock(page, 5000);
    const spokenMs = await clockMs(page);
    await expect.poll(() => audioBytesOnDisk(server.dataDir)).toBeGreaterThan(24_000);
    const bare = await leaveUnfinished(browserContext, page);
    const storedBytes = audioBytesOnDisk(server.dataDir);
    await cutAudioTo(bare, retainedBytes);
    await bare.goto('/');
    await expect.poll(() => receiptOf(bare)).toBe(true);
    const recording = await onlyReadyRecording(bare);
    expect(recording.sizeBytes).toBe(storedBytes);
    await expectKilled(bare, recording, spokenMs - 1500);
    await expect(bare.getByText(/was interrupted/)).toBeVisible();
  });
}

test('a browser killed during a pause loses nothing recorded before the pause', async ({
  page,
  profile,
  server,
  consoleGuard,
}) => {
  const user = await signUp(page);
  await startTake(page);
  await untilClock(page, 2500);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  await expect.poll(async () => (await listed(page))[0]?.durationMs ?? 0).toBeGreaterThan(2000);
  const spokenMs = await clockMs(page);
  killBrowserOf(profile);
  const again = await openBrowser({ profile, baseURL: server.url });
  consoleGuard.watch(again);
  const next = again.pages()[0] ?? (await again.newPage());
  await next.goto(server.url);
  await expect.poll(() => receiptOf(next)).toBe(true);
  if (!(await isSignedIn(next))) await signIn(next, user);
  await expectWhole(next, await onlyReadyRecording(next), spokenMs - 1000);
  await again.close();
});

test('a take whose tab died before any audio was stored disappears from the device and the server', async ({
  page,
  browserContext,
  server,
}) => {
  // The encoder produces no packets before the tab is closed, but the take is registered.
  await page.route(/take\.worker/, async (route) => {
    const reply = await route.fetch();
    await route.fulfill({
      response: reply,
      body: `AudioEncoder.prototype.encode = () => {};${await reply.text()}`,
    });
  });
  await signUp(page);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect.poll(async () => (await listed(page)).length).toBe(1);
  await expect.poll(async () => (await takesOnDevice(page))[0]?.upload?.token).toBeTruthy();
  const bare = await leaveUnfinished(browserContext, page);
  expect(audioBytesOnDisk(server.dataDir)).toBe(0);
  await bare.goto('/');
  await expect.poll(async () => (await takesOnDevice(bare)).length).toBe(0);
  await expect.poll(async () => (await listed(bare)).length).toBe(0);
  await expect(bare.getByText(/was interrupted/)).toHaveCount(0);
});
