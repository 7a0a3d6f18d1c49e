import { cookieHeader } from '#tests/support/cookie-header.ts';
import { storeSpeech } from '#tests/support/stored-speech.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import {
  createAccount,
  isSignedIn,
  listed,
  newUser,
  onlyReadyRecording,
  openQuietly,
  signUpOnScreen,
  startTake,
  stopTake,
  submitAccount,
  untilClock,
} from './steps.ts';

test(
  'records without an account: the take stays on the device, plays, and moves to the server on sign-up',
  { tag: '@core' },
  async ({ page }) => {
    await startTake(page);
    await untilClock(page, 3000);
    await stopTake(page);
    await expect(page.getByText('Saved on this device').first()).toBeVisible();

    await page.getByRole('link', { name: 'Play', exact: true }).first().click();
    await expect(page.getByRole('slider', { name: 'Position' }).first()).toHaveAttribute(
      'aria-valuenow',
      /[1-9]/,
    );

    await signUpOnScreen(page);
    const recording = await onlyReadyRecording(page);
    expect(recording.durationMs).toBeGreaterThanOrEqual(3000);
  },
);

test('a page that the user opens while a sign-up is being confirmed stays open', async ({ page }) => {
  await page.goto('/sign-up');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/auth/session', async (route) => {
    await released;
    await route.continue();
  });
  const confirming = page.waitForRequest('**/auth/session');
  await submitAccount(page, newUser(), 'Create account');
  await confirming;
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  release();
  await expect(page.getByRole('button', { name: /account$/ })).toBeVisible();
  await startTake(page);
  await stopTake(page);
  expect(await onlyReadyRecording(page)).toMatchObject({ source: 'microphone' });
});

test(
  'attaches the running take, from its first second, when the user signs in mid-take',
  { tag: '@core' },
  async ({ page }) => {
    await startTake(page);
    await untilClock(page, 2000);
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('button', { name: 'Create account' })
      .or(dialog.getByRole('tab', { name: 'Create account' }))
      .or(dialog.getByRole('link', { name: 'Create account' }))
      .first()
      .click();
    await submitAccount(page, newUser(), 'Create account');
    await expect.poll(() => isSignedIn(page)).toBe(true);
    await expect
      .poll(async () => (await listed(page)).map((recording) => recording.state))
      .toEqual(['receiving']);
    await untilClock(page, 4000);
    await stopTake(page);
    const recording = await onlyReadyRecording(page);
    expect(recording.durationMs).toBeGreaterThanOrEqual(4000);
  },
);

test(
  'asks once for sign-in when the session expires under an open page, then repeats the request',
  { tag: '@core' },
  async ({ page, browserContext, server, consoleGuard }) => {
    consoleGuard.allow(/401/);
    const user = await createAccount(browserContext);
    await storeSpeech(server.url, await cookieHeader(browserContext, server.url));
    await openQuietly(page, '/trash', 'The trash is empty');
    await browserContext.clearCookies();
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toHaveCount(1);
    await submitAccount(page, user, 'Sign in');
    await expect(dialog).toBeHidden();
    await expect(
      page.getByRole('list', { name: 'Recordings' }).getByRole('link', { name: 'Inaugural address' }),
    ).toBeVisible();
    await expect(dialog).toHaveCount(0);
  },
);

test(
  'reports a wrong password beside the field and leaves the typed e-mail address',
  { tag: '@core' },
  async ({ page, browserContext, consoleGuard }) => {
    consoleGuard.allow(/401/);
    const user = await createAccount(browserContext);
    await browserContext.clearCookies();
    await page.goto('/sign-in');
    await submitAccount(page, { ...user, password: 'not the right one at all' }, 'Sign in');
    await expect(page.getByText(/Wrong email address or password/).first()).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(user.email);
  },
);
