import { decodeInBrowser, likenessToLoop, readWav } from '#tests/support/compare-speech.ts';
import { expect, speechFile, sharedTest, test } from './earshot-test.ts';
import {
  audioBytesOnDisk,
  clockMs,
  expectWhole,
  onlyReadyRecording,
  receiptOf,
  signUp,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';

test('after eight seconds offline, the screen shows how much is only on this device, and the server catches up', async ({
  page,
  browserContext,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await expect(page.getByText('Saved on the server')).toBeVisible();

  await browserContext.setOffline(true);
  await expect(page.getByText('Waiting for a connection', { exact: true })).toBeVisible();
  const leftAtMs = await clockMs(page);
  const before = audioBytesOnDisk(server.dataDir);
  await untilClock(page, leftAtMs + 8000);
  await expect(page.getByText(/\b([89]|1\d)(\.\d)?\s?s(ec\w*)? saved only on this device/)).toBeVisible();
  expect(audioBytesOnDisk(server.dataDir)).toBe(before);

  await browserContext.setOffline(false);
  await expect
    .poll(() => audioBytesOnDisk(server.dataDir), {
      message: 'the server catches up while recording continues',
    })
    .toBeGreaterThan(before + 30_000);
  await expect(page.getByText('Saved on the server')).toBeVisible();
  const backAtMs = await clockMs(page);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  await expectWhole(page, recording, backAtMs);
  const heard = await decodeInBrowser(page, `/api/recordings/${recording.id}/audio`);
  expect(likenessToLoop(heard, readWav(speechFile)).likeness).toBeGreaterThan(0.6);
});

sharedTest(
  'a take started and stopped offline uploads once the network is back',
  { tag: '@core' },
  async ({ page, browserContext, consoleGuard }) => {
    consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
    await signUp(page);
    await browserContext.setOffline(true);
    await startTake(page);
    await untilClock(page, 2000);
    await stopTake(page);
    await expect(page.getByText('Saved on this device. It uploads when you’re back online.')).toBeVisible();
    expect(await receiptOf(page)).toBe(false);
    await browserContext.setOffline(false);
    await expect(page.getByText('Saved on the server').first()).toBeVisible();
    await expectWhole(page, await onlyReadyRecording(page), 2000);
  },
);
