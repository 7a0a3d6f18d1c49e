import { expect, sharedTest as test, type Fixtures } from './earshot-test.ts';
import {
  listed,
  onlyReadyRecording,
  receiptOf,
  revokeSession,
  signIn,
  signOut,
  signUp,
  startTake,
  stopTake,
  submitAccount,
  untilClock,
  type TestUser,
} from './steps.ts';

/**
 * Signs up, and ends the session unnoticed by the page: its event stream cannot reconnect, so it does not learn of the
 * loss.
 */
async function signUpAndLoseSession({
  page,
  consoleGuard,
}: Pick<Fixtures, 'page' | 'consoleGuard'>): Promise<TestUser> {
  consoleGuard.allow(/401|ERR_FAILED/);
  const user = await signUp(page);
  await page.route('**/api/events', (route) => route.abort());
  await revokeSession(page.context());
  return user;
}

test('a take started after the session ended runs behind a banner; Stop asks to sign in and it uploads', async ({
  page,
  consoleGuard,
}) => {
  const user = await signUpAndLoseSession({ page, consoleGuard });
  await startTake(page);
  await expect(page.getByText('Your session has ended', { exact: true })).toBeVisible();
  const sizeBefore = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const size of [
    { width: 390, height: 780 },
    { width: 320, height: 640 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(size);
    // Nothing covers them.
    await page.getByRole('timer').click({ trial: true });
    await page.getByRole('button', { name: 'Stop', exact: true }).click({ trial: true });
  }
  await page.setViewportSize(sizeBefore);
  await expect(page.getByText(/Your recording continues and is safe/)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await untilClock(page, 2000);
  await stopTake(page);
  await expect(page.getByRole('dialog')).toBeVisible();
  await submitAccount(page, user, 'Sign in');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect((await onlyReadyRecording(page)).durationMs).toBeGreaterThanOrEqual(2000);
});

test('Stop and sign out waits until the server has the whole take', async ({ page, consoleGuard }) => {
  consoleGuard.allow(/401/);
  const user = await signUp(page);
  await startTake(page);
  await untilClock(page, 3000);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
  await page.context().route('**/api/uploads/**', async (route) => {
    await isReleased;
    await route.continue();
  });
  const account = page.getByRole('button', { name: /’s account$/ });
  await account.click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Stop and sign out' }).click();
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(account).toBeVisible();
  release(undefined);
  await expect(account).toHaveCount(0);
  await signIn(page, user);
  expect((await onlyReadyRecording(page)).durationMs).toBeGreaterThanOrEqual(3000);
});

test('signing in from the banner keeps the take running, and it uploads from then on', async ({
  page,
  consoleGuard,
}) => {
  const user = await signUpAndLoseSession({ page, consoleGuard });
  await startTake(page);
  const banner = page.getByRole('region', { name: 'Sign in' });
  await banner.getByRole('button', { name: 'Sign in' }).click();
  await submitAccount(page, user, 'Sign in');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(async () => (await listed(page)).map(({ state }) => state)).toEqual(['receiving']);
  await untilClock(page, 3000);
  await stopTake(page);
  expect((await onlyReadyRecording(page)).durationMs).toBeGreaterThanOrEqual(3000);
});

test('what is typed into the sign-in dialog stays when the page learns that the session has ended', async ({
  page,
  consoleGuard,
}) => {
  const user = await signUpAndLoseSession({ page, consoleGuard });
  const answers: (() => void)[] = [];
  await page.route('**/auth/session', async (route) => {
    await new Promise<void>((resolve) => {
      answers.push(resolve);
    });
    await route.continue();
  });
  await startTake(page);
  await page.getByRole('region', { name: 'Sign in' }).getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog');
  const email = dialog.getByRole('textbox', { name: 'Email' });
  await email.fill(user.email);
  await dialog.getByLabel('Password', { exact: true }).fill(user.password);
  await expect.poll(() => answers.length).toBeGreaterThan(0);
  await page.unroute('**/auth/session');
  for (const answer of answers) answer();
  await expect(page.getByRole('button', { name: /’s account$/ })).toHaveCount(0);
  await expect(email).toHaveValue(user.email);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await listed(page)).map(({ state }) => state)).toEqual(['receiving']);
  await stopTake(page);
});

test('signing out in another tab keeps the take running; it uploads once its owner signs in again', async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|409/);
  const user = await signUp(page);
  await startTake(page);
  await untilClock(page, 1500);
  const other = await browserContext.newPage();
  await other.goto('/library');
  await signOut(other);
  await page.bringToFront();
  await expect(page.getByText(/You’re signed out. The current recording continues/)).toBeVisible();
  await expect(page.getByText(/^A recording of .* is running$/)).toBeVisible();
  await untilClock(page, 3000);
  await stopTake(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await submitAccount(page, user, 'Sign in');
  await expect.poll(() => receiptOf(page)).toBe(true);
});
