import { expect, test } from './earshot-test.ts';
import {
  audioBytesOnDisk,
  clockMs,
  expectWhole,
  expireSessions,
  isSamePage,
  listed,
  markPage,
  newUser,
  onlyReadyRecording,
  positionMs,
  receiptOf,
  revokeSession,
  signIn,
  signUp,
  signUpOnScreen,
  startTake,
  stopTake,
  submitAccount,
  takesOnDevice,
  untilClock,
} from './steps.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';

test(
  'a session that expires mid-take interrupts nothing: it uploads, gets its receipt, and asks only afterwards',
  { tag: '@core' },
  async ({ page, server, consoleGuard }) => {
    consoleGuard.allow(/401/);
    const user = await signUp(page);
    await startTake(page);
    await untilClock(page, 2000);
    expireSessions(server.dataDir);
    const before = audioBytesOnDisk(server.dataDir);
    await expect.poll(() => audioBytesOnDisk(server.dataDir)).toBeGreaterThan(before + 15_000);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const spokenMs = await clockMs(page);
    await stopTake(page);
    await expect.poll(() => receiptOf(page)).toBe(true);

    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await expect(dialog).toHaveCount(1);
    await submitAccount(page, user, 'Sign in');
    await expect(dialog).toBeHidden();
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    await expect(page.getByRole('link', { name: /\d:\d\d/ })).toHaveCount(1);
    await expect(dialog).toHaveCount(0);
    await expectWhole(page, await onlyReadyRecording(page), spokenMs);
  },
);

test('hides a take from another user who signs in meanwhile, and shows it to its owner afterwards', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|409/);
  const alice = await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await revokeSession(browserContext);
  const second = await browserContext.newPage();
  await second.goto('/');
  await signUpOnScreen(second);
  await second.goto('/library');
  await expect(second.getByRole('heading', { name: 'Library' })).toBeVisible();
  expect(await listed(second)).toEqual([]);
  await expect(second.getByRole('link', { name: /\d:\d\d/ })).toHaveCount(0);

  await page.bringToFront();
  await stopTake(page);
  expect(await listed(second)).toEqual([]);
  await expect(second.getByRole('link', { name: /\d:\d\d/ })).toHaveCount(0);

  await revokeSession(browserContext);
  await signIn(page, alice);
  expect((await onlyReadyRecording(page)).durationMs).toBeGreaterThanOrEqual(2000);
});

test('a take that one user left on the device is hidden from another, and uploads when its owner returns', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|409|ERR_FAILED|503/);
  const alice = await signUp(page);
  await browserContext.route(/\/api\/(recordings|uploads)\//, (route) => route.abort());
  await startTake(page);
  await untilClock(page, 2000);
  await stopTake(page);
  await expect(page.getByText(/saved on this device\./i)).toBeVisible();
  await revokeSession(browserContext);
  await page.reload();
  await browserContext.unroute(/\/api\/(recordings|uploads)\//);

  await signUpOnScreen(page);
  await page.goto('/library');
  await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible();
  await expect(page.getByRole('link', { name: /\d:\d\d/ })).toHaveCount(0);
  expect(await listed(page)).toEqual([]);
  expect((await takesOnDevice(page)).map(({ receiptAtMs }) => receiptAtMs)).toEqual([null]);

  await revokeSession(browserContext);
  await signIn(page, alice);
  await expectWhole(page, await onlyReadyRecording(page), 2000);
});

test('offers after sign-up to add an earlier recording, which moves with one press', async ({
  page,
  browserContext,
}) => {
  await startTake(page);
  await untilClock(page, 1500);
  await stopTake(page);
  await expect(page.getByText(/saved on this device only/)).toBeVisible();
  // A reopened browser no longer knows that this user made the recording.
  const later = await browserContext.newPage();
  await page.close();
  await later.goto('/sign-up');
  await submitAccount(later, newUser(), 'Create account');
  const step = later.getByRole('dialog', { name: '1 recording from before: add it?' });
  await expect(step).toBeVisible();
  await step.getByRole('button', { name: 'Not now' }).click();
  await expect(
    later.getByText('There’s 1 recording on this device from before you signed in. Add it to your library?'),
  ).toBeVisible();
  await later.reload();
  await step.getByRole('button', { name: 'Add to my library' }).click();
  await expect(later.getByText('Your recording is moving to your account')).toBeVisible();
  await expectWhole(later, await onlyReadyRecording(later), 1500);
});

test('two signed-out takes can be trashed, restored and played, and upload once each after sign-up', async ({
  page,
}) => {
  for (const ms of [1500, 2500]) {
    await page.goto('/');
    await startTake(page);
    await untilClock(page, ms);
    await stopTake(page);
    await expect(
      page.getByText(/(Your recording is complete and|Everything recorded is) saved on this device only/),
    ).toBeVisible();
  }
  await page.goto('/library');
  const rows = page.getByRole('link', { name: /\d:\d\d/ });
  await expect(rows).toHaveCount(2);
  await rows.first().hover();
  await page.getByRole('button', { name: 'Move to trash', exact: true }).first().click();
  await expect(rows).toHaveCount(1);
  await page.goto('/trash');
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect
    .poll(async () => (await takesOnDevice(page)).map(({ deletedAtMs }) => deletedAtMs))
    .toEqual([null, null]);

  await page.goto('/library');
  await page.reload();
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => positionMs(page)).toBeGreaterThan(800);

  await signUpOnScreen(page);
  await expect
    .poll(async () => (await listed(page)).map(({ state }) => state), { timeout: 25_000 })
    .toEqual(['ready', 'ready']);
  await expect
    .poll(async () =>
      (await takesOnDevice(page)).every(
        ({ receiptAtMs, ownerId }) => receiptAtMs !== null && ownerId !== null,
      ),
    )
    .toBe(true);
  await page.goto('/library');
  await expect(rows).toHaveCount(2);
});

test('playback resumes at the requested position after the session expired and the user signed in again', async ({
  page,
  browserContext,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/401/);
  const user = await signUp(page);
  const id = await uploadLongRecording(server.url, await cookieHeader(browserContext, server.url));
  await page.goto(`/recordings/${id}`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => positionMs(page)).toBeGreaterThan(500);

  await markPage(page);
  await revokeSession(browserContext);
  const slider = page.getByRole('slider', { name: 'Position' }).first();
  await slider.focus();
  await page.keyboard.press('End');
  const endMs = Number(await slider.getAttribute('aria-valuemax'));
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('PageDown');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expect(dialog).toHaveCount(1);
  const askedMs = await positionMs(page);
  expect(askedMs).toBeGreaterThan(endMs / 2);
  await submitAccount(page, user, 'Sign in');
  await expect(dialog).toBeHidden();
  await expect.poll(() => positionMs(page)).toBeGreaterThanOrEqual(askedMs);
  await expect(page.getByText('Couldn’t load the audio.')).toHaveCount(0);
  expect(await isSamePage(page)).toBe(true);
});

test('asks before sending a change that waited over two minutes for the sign-in; discarded, it is not sent', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/401/);
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    const device = globalThis as { sleptMs?: number };
    Date.now = () => now() + (device.sleptMs ?? 0);
  });
  const user = await signUp(page);
  await page.goto('/settings/profile');
  const name = page.getByRole('textbox', { name: /^Name/ });
  const before = await name.inputValue();
  await revokeSession(browserContext);
  await name.fill('Somebody else');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.evaluate(() => {
    Object.assign(globalThis, { sleptMs: 150_000 });
  });
  await submitAccount(page, user, 'Sign in');
  await expect(page.getByRole('heading', { name: 'Still want to do this?' })).toBeVisible();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText('Cancelled. Nothing was sent.').first()).toBeVisible();
  await expect(name).toHaveValue('Somebody else');
  await page.reload();
  await expect(name).toHaveValue(before);
});
