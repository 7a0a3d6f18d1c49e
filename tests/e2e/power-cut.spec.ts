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

/** Leaves so much of the device's copy of the only take as a power cut may: its file cut, its log gone. */
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
            reject(transaction.error ?? new Error('the log stays'));
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
 * Leaves the take unfinished: its page goes while its app cannot come back, and a bare page of the same
 * origin holds the place.
 */
async function leaveUnfinished(context: BrowserContext, page: Page): Promise<Page> {
  const bare = await context.newPage();
  await bare.goto('/robots.txt');
  await page.close({ runBeforeUnload: false });
  await expect.poll(() => bare.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(0);
  return bare;
}

for (const [what, keptBytes] of [
  ['half of its copy', 12_000],
  ['its whole copy', 0],
] as const) {
  test(`a device that lost ${what} in a power cut finishes the recording with what the server has`, async ({
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
    await cutAudioTo(bare, keptBytes);
    await bare.goto('/');
    await expect.poll(() => receiptOf(bare)).toBe(true);
    const recording = await onlyReadyRecording(bare);
    expect(recording.sizeBytes).toBe(storedBytes);
    await expectKilled(bare, recording, spokenMs - 1500);
    await expect(bare.getByText(/was interrupted/)).toBeVisible();
  });
}

test('a browser killed while paused keeps all that was said before the pause', async ({
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

test('a take whose tab died before a sound was kept leaves no ghost, here or on the server', async ({
  page,
  browserContext,
  server,
}) => {
  // A muted source gives no packets before the tab goes; the take is registered all the same.
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
