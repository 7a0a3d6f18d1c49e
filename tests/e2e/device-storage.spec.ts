import { readFileSync } from 'node:fs';
import { expect, test } from './earshot-test.ts';
import {
  onlyReadyRecording,
  receiptOf,
  signUp,
  startTake,
  stopTake,
  takesOnDevice,
  untilClock,
} from './steps.ts';

test('signed out: a take is marked in the player, listed with its size, saved as a file, trashed and restored', async ({
  page,
}) => {
  await startTake(page);
  await untilClock(page, 2000);
  await stopTake(page);
  await expect.poll(async () => (await takesOnDevice(page)).map(({ state }) => state)).toEqual(['stopped']);
  const [take] = await takesOnDevice(page);
  await page.goto(`/recordings/${take?.id}`);
  await page.getByRole('button', { name: 'Add marker', exact: true }).first().click();
  await expect.poll(async () => (await takesOnDevice(page))[0]?.markers.length).toBe(1);
  await page.getByRole('textbox', { name: 'Marker name' }).fill('The well');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await takesOnDevice(page))[0]?.markers[0]?.label).toBe('The well');

  await page.goto('/settings/storage');
  const row = page.getByRole('list', { name: 'Recordings on this device' }).getByRole('listitem');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('Saved on this device');
  await expect(row).toContainText(/\d+ (k|M)B/);
  await expect(page.getByText(/ used, .* free/)).toBeVisible();

  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Save as file' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.ogg$/);
  expect(
    readFileSync(await file.path())
      .subarray(0, 4)
      .toString(),
  ).toBe('OggS');

  await row.getByRole('button', { name: 'Move to trash' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByText('1 recording in the trash')).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(row).toHaveCount(1);
});

test('plays a local take from its row and across screens, and a local copy while the server is unreachable', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_INTERNET_DISCONNECTED/);
  const row = page.getByRole('list', { name: 'Recordings' }).getByRole('listitem');
  const mini = page.getByRole('region', { name: 'Player', exact: true });
  await startTake(page);
  await untilClock(page, 4000);
  await stopTake(page);
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  await row.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(row.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Trash', exact: true }).click();
  await expect(
    mini
      .getByRole('button', { name: 'Pause', exact: true })
      .or(mini.getByRole('button', { name: 'Play', exact: true })),
  ).toBeVisible();
  await expect
    .poll(async () => Number(await mini.getByRole('slider', { name: 'Position' }).inputValue()))
    .toBeGreaterThan(500);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await signUp(page);
  await page.goto('/library');
  await expect(row.getByText('On server')).toBeVisible();
  await browserContext.setOffline(true);
  // The page reports the lost network immediately, before it sends any request.
  await expect(page.getByText(/^Can’t reach the server/).first()).toBeVisible();
  await row.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(row.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
});

test("removes the local copy of an uploaded recording immediately; the server's recording stays", async ({
  page,
}) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 1500);
  await stopTake(page);
  await expect.poll(() => receiptOf(page)).toBe(true);
  const { id } = await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await expect(page.getByText(/Copy on this device until/)).toBeVisible();

  await page.goto('/settings/storage');
  await expect(
    page.getByRole('list', { name: 'Recordings on this device' }).getByText('Saved on the server'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Free up space on this device' }).click();
  await expect(page.getByText('No recordings on this device')).toBeVisible();
  expect(await takesOnDevice(page)).toEqual([]);
  expect((await onlyReadyRecording(page)).id).toBe(id);
});
