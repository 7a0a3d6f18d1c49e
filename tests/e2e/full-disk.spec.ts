import { unlinkSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { makeWav } from '#tests/support/made-wav.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import { expect, test } from './earshot-test.ts';
import {
  audioBytesOnDisk,
  clockMs,
  expectWhole,
  listed,
  onlyReadyRecording,
  receiptOf,
  signUp,
  startTake,
  stopTake,
  takesOnDevice,
  untilClock,
} from './steps.ts';

test('a device without space for a first segment says so before recording starts', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  const devtools = await browserContext.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(server.url).origin,
    quotaSize: 200_000,
  });
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'This device is full' })).toBeVisible();
  expect(await listed(page)).toEqual([]);
  expect(await takesOnDevice(page)).toEqual([]);

  await devtools.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(server.url).origin,
    quotaSize: 50_000_000,
  });
  await page.getByRole('button', { name: 'Try again', exact: true }).click();
  await untilClock(page, 1500);
  await stopTake(page);
  await expectWhole(page, await onlyReadyRecording(page), 1500);
});

/** Chromium reserves a megabyte at a time, minutes of speech, so the quota error is thrown earlier here. */
async function fillDeviceAt(page: Page, sizeBytes: number): Promise<void> {
  await page.route(/take\.worker/, async (route) => {
    const reply = await route.fetch();
    const full = `const write = FileSystemSyncAccessHandle.prototype.write;
      FileSystemSyncAccessHandle.prototype.write = function (bytes, place) {
        if (place.at + bytes.length > ${sizeBytes}) throw new DOMException('full', 'QuotaExceededError');
        return write.call(this, bytes, place);
      };`;
    await route.fulfill({ response: reply, body: `${full}${await reply.text()}` });
  });
}

test('a take continues on a full device: new audio goes from memory to the server, and the screen says so', async ({
  page,
}) => {
  await fillDeviceAt(page, 15_000);
  await signUp(page);
  await startTake(page);
  await expect(page.getByText('This device is full', { exact: true })).toBeVisible();
  const fullAtMs = await clockMs(page);
  await untilClock(page, fullAtMs + 3000);
  const spokenMs = await clockMs(page);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(recording.sizeBytes).toBeGreaterThan(15_000);
  await expectWhole(page, recording, spokenMs);
});

const diskReserveBytes = 4_000_000;

test.describe('a server whose disk is full', () => {
  test.use({
    server: async ({}, use, testInfo) => {
      const small = smallFileSystem(24);
      testInfo.skip(typeof small === 'string', typeof small === 'string' ? small : '');
      if (typeof small === 'string') return;
      const server = await EarshotServer.launch(
        { DISK_RESERVE_BYTES: String(diskReserveBytes) },
        small.directory,
      );
      await use(server);
      await server.dispose();
      small.unmount();
    },
  });

  test('makes the device wait and say so; everything arrives once there is space', async ({
    page,
    server,
    consoleGuard,
  }) => {
    consoleGuard.allow(/507|500/);
    const { dataDir: directory } = server;
    await signUp(page);
    await startTake(page);
    await untilClock(page, 2000);
    await expect(page.getByText('Saved on the server')).toBeVisible();

    const filler = fillUp(directory, 8192);
    await expect(page.getByText('The server is out of space')).toBeVisible();
    const acknowledged = audioBytesOnDisk(directory);
    const fullAtMs = await clockMs(page);
    await untilClock(page, fullAtMs + 3000);
    expect(audioBytesOnDisk(directory)).toBeGreaterThanOrEqual(acknowledged);
    expect(await receiptOf(page)).toBe(false);

    unlinkSync(filler);
    await expect(page.getByText('Saved on the server')).toBeVisible();
    expect(audioBytesOnDisk(directory)).toBeGreaterThan(acknowledged);
    const spokenMs = await clockMs(page);
    await stopTake(page);
    await expectWhole(page, await onlyReadyRecording(page), spokenMs);
  });

  test('makes an import wait, says so throughout, and accepts it once there is space', async ({
    page,
    server,
    consoleGuard,
  }) => {
    consoleGuard.allow(/507/);
    const { dataDir: directory } = server;
    await signUp(page);
    const filler = fillUp(directory, diskReserveBytes / 2);
    await expect
      .poll(
        async () =>
          (
            (await (await page.request.get('/api/admin/installation')).json()) as {
              disk: { isTouched: boolean };
            }
          ).disk.isTouched,
      )
      .toBe(true);
    await page.goto('/library');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'Walk.wav', mimeType: 'audio/wav', buffer: makeWav({ seconds: 2, seed: 4 }) });
    const row = page
      .getByRole('region', { name: 'Imports' })
      .getByRole('listitem')
      .filter({ hasText: 'Walk.wav' });
    await expect(row).toContainText('The server is out of space');
    const silences = await row.evaluateHandle((element) => {
      const seen: string[] = [];
      new MutationObserver(() => {
        if (!element.textContent.includes('out of space')) seen.push(element.textContent);
      }).observe(element, { childList: true, characterData: true, subtree: true });
      return seen;
    });
    for (let rejections = 0; rejections < 4; rejections += 1)
      await page.waitForResponse((response) => response.status() === 507);
    expect(await silences.jsonValue()).toEqual([]);

    unlinkSync(filler);
    await expect(row).toContainText('Imported', { timeout: 60_000 });
  });
});
