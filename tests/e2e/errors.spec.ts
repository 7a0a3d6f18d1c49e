import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import { rejectDatabases, rejectFiles, rejectInWorker } from './rejected-stores.ts';
import {
  clockMs,
  expectKilled,
  expectWhole,
  gapsOf,
  onlyReadyRecording,
  signUp,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';

test.describe('a blocked microphone', () => {
  test.use({ browserOptions: { microphone: 'deny' } });
  test('shows how to allow it and can be tried again', { tag: '@core' }, async ({ page }) => {
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'The microphone is blocked' })).toBeVisible();
    await expect(page.getByText('Turn on “Microphone”.')).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeInViewport({ ratio: 1 });
  });
});

// Chromium's fake devices cannot be reduced to none, so `getUserMedia` fails with the browser's own errors.
async function microphoneFailsWith(page: Page, name: string): Promise<void> {
  await page.evaluate((errorName) => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('from the test', errorName));
  }, name);
}

test('reports a missing microphone and one in use elsewhere, and can be tried again', async ({ page }) => {
  await microphoneFailsWith(page, 'NotFoundError');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No microphone found' })).toBeVisible();
  await microphoneFailsWith(page, 'NotReadableError');
  await page.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Another app is using the microphone' })).toBeVisible();
});

test('explains on an insecure page why it cannot record', async ({ browserContext, server }) => {
  const page = await browserContext.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'isSecureContext', { value: false });
  });
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'This page isn’t secure' })).toBeVisible();
});

test('reports blocked storage before anything is recorded', async ({ page, browserContext }) => {
  await rejectInWorker(browserContext, rejectFiles + rejectDatabases);
  await page.reload();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(
    page.getByRole('heading', { name: 'Your browser doesn’t let Earshot save recordings' }),
  ).toBeVisible();
});

test('a window without file storage, as private windows are, records and warns that it keeps nothing', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/Target crashed|ERR_INTERNET_DISCONNECTED/);
  await rejectInWorker(browserContext, rejectFiles);
  await signUp(page);
  await startTake(page);
  await expect(page.getByText('This window forgets everything when you close it')).toBeVisible();
  await browserContext.setOffline(true);
  const onlineMs = await clockMs(page);
  await untilClock(page, onlineMs + 3000);
  const spokenMs = await clockMs(page);
  const crashed = page.waitForEvent('crash');
  const devtools = await browserContext.newCDPSession(page);
  devtools.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.close();
  await browserContext.setOffline(false);
  const next = await browserContext.newPage();
  await next.goto('/');
  await expectKilled(next, await onlyReadyRecording(next), spokenMs - 500);
});

test('a withdrawn microphone permission shows what to do and leaves a gap; the take resumes once allowed', async ({
  page,
}) => {
  await signUp(page);
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const open = mediaDevices.getUserMedia.bind(mediaDevices);
    let isAllowed = true;
    const streams: MediaStream[] = [];
    mediaDevices.getUserMedia = async (options) => {
      if (!isAllowed) throw new DOMException('from the test', 'NotAllowedError');
      const stream = await open(options);
      streams.push(stream);
      return stream;
    };
    const withdraw = () => {
      isAllowed = false;
      for (const track of streams.flatMap((stream) => stream.getTracks())) {
        track.stop();
        track.dispatchEvent(new Event('ended'));
      }
    };
    Object.assign(globalThis, {
      withdraw,
      allow: () => {
        isAllowed = true;
      },
    });
  });
  await startTake(page);
  await untilClock(page, 2000);
  await page.evaluate(() => {
    (globalThis as unknown as { withdraw(): void }).withdraw();
  });
  await expect(page.getByText('Microphone access withdrawn')).toBeVisible();
  await page.evaluate(() => {
    (globalThis as unknown as { allow(): void }).allow();
  });
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(page.getByText('Microphone access withdrawn')).toHaveCount(0);
  await untilClock(page, (await clockMs(page)) + 1000);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.segments).toHaveLength(2);
  expect(gapsOf(recording).map(({ cause }) => cause)).toEqual(['microphone-lost']);
});

test('an unknown URL shows a page with links onward', async ({ page }) => {
  await page.goto('/no/such/place');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
});

test('a take is recorded and stopped although the layout around the page fails', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/Intl\.Segmenter|is not a constructor/);
  await signUp(page);
  // The initials of the signed-in user need it.
  await page.addInitScript(() => {
    Reflect.deleteProperty(Intl, 'Segmenter');
  });
  await page.reload();
  await startTake(page);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await untilClock(page, 1000);
  await stopTake(page);
  await expectWhole(page, await onlyReadyRecording(page), 1000);
});
