import { expect, sharedTest as test } from './earshot-test.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { onlyReadyRecording, signUp, startTake, stopTake, takesOnDevice, untilClock } from './steps.ts';

test('a take whose account is deleted meanwhile can be saved as a file, and deleted by the next visitor', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/401/);
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  expect((await browserContext.request.delete('/auth/account', { headers: appHeaders })).status()).toBe(204);
  await expect(page.getByText(/^Your account was deleted\./).first()).toBeVisible();
  await expect(page.getByText(/Nothing will be lost|Sign in now/)).toHaveCount(0);
  await stopTake(page);
  const card = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(card.getByText('On this device, its account was deleted')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(card.getByRole('button', { name: 'Sign in' })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Save as file' }).click();
  await download;
  await page.close();

  const next = await browserContext.newPage();
  await next.goto('/settings/storage');
  await expect(next.getByText(/1 recording of a deleted account is on this device/)).toBeVisible();
  await next.getByRole('button', { name: 'Delete from this device' }).click();
  await next.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(next.getByText('No recordings on this device')).toBeVisible();
  expect(await takesOnDevice(next)).toEqual([]);
});

test('an account can’t be deleted in a browser that records in it, and what isn’t uploaded is named', async ({
  page,
  browserContext,
}) => {
  const { email } = await signUp(page);
  await startTake(page);
  const title = page.getByRole('textbox', { name: 'Title' });
  await title.fill('Before the storm');
  await title.press('Enter');
  await untilClock(page, 2000);
  const other = await browserContext.newPage();
  await other.goto('/settings/profile');
  await other.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = other.getByRole('alertdialog');
  await expect(dialog.getByText(/1 recording is on this server\. Part of this is still being/)).toBeVisible();
  await expect(dialog.getByText(/A recording is running in this browser/)).toBeVisible();
  const remove = dialog.getByRole('button', { name: 'Delete permanently' });
  await expect(remove).toBeDisabled();
  await dialog.getByRole('textbox', { name: /Type your email address/ }).fill(email);
  await other.keyboard.press('Enter');
  expect((await browserContext.request.get('/auth/account/deletion', { headers: appHeaders })).ok()).toBe(
    true,
  );

  await page.context().route('**/api/uploads/**', (route) => route.abort());
  await page.bringToFront();
  await stopTake(page);
  await expect(remove).toBeEnabled();
  await expect(dialog.getByText(/Recordings on this device that aren’t on the server yet/)).toBeVisible();
  const items = dialog.getByRole('listitem');
  await expect(items).toHaveText(['Before the storm']);

  // The trash of the device counts too.
  await page.goto('/settings/storage');
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await expect(items).toHaveText(['1 recording in the trash']);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(items).toHaveText(['Before the storm']);
  await page.context().unroute('**/api/uploads/**');
  await onlyReadyRecording(page);
  await expect(dialog.getByText(/Recordings on this device that/)).toHaveCount(0);
  await expect(
    dialog.getByText(/1 recording is on this server \([\d.]+ seconds?\)\. Your recordings/),
  ).toBeVisible();
});

test('a take that was deleted elsewhere before it was uploaded is saved to the library again', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|404|410|ERR_FAILED/);
  await signUp(page);
  await page.context().route('**/api/uploads/**', (route) => route.abort());
  await startTake(page);
  await untilClock(page, 2000);
  await stopTake(page);
  const [take] = await takesOnDevice(page);
  const address = `/api/recordings/${take?.id}`;
  await expect.poll(async () => (await browserContext.request.get(address)).status()).toBe(200);
  expect((await browserContext.request.delete(address, { headers: appHeaders })).ok()).toBe(true);
  expect((await browserContext.request.post(`${address}/purge`, { headers: appHeaders })).ok()).toBe(true);
  const card = page.getByRole('region', { name: 'Recording', exact: true });
  await expect(card.getByText('Only on this device, deleted on another one')).toBeVisible();
  await page.context().unroute('**/api/uploads/**');
  await card.getByRole('button', { name: 'Save to library' }).click();
  await expect(page.getByText(/is in your library again/)).toBeVisible();
  const saved = await onlyReadyRecording(page);
  expect(saved.durationMs).toBeGreaterThanOrEqual(2000);
  expect(saved.id).not.toBe(take?.id);
});
