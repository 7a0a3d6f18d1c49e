import { signInInPopup, expect, test } from './provider-test.ts';
import { ageProofs, confirmWithPassword, isSignedIn, revokeSession, signUp } from './steps.ts';

const continueWith = 'Continue with Village ID';
const account = (name: string) => new RegExp(`${name}.*’s account`);

test('signs in with a provider in a window beside the page, which closes automatically', async ({ page }) => {
  await page.goto('/sign-in');
  await signInInPopup(page, { press: continueWith, user: 'ann' });
  await expect(page).toHaveURL(/\/library$/);
  await expect(page.getByRole('button', { name: account('Ann of the village') })).toBeVisible();
});

test('where popups are blocked, the page itself navigates to the provider and back', async ({ page }) => {
  await page.addInitScript(() => {
    globalThis.open = () => null;
  });
  await page.goto('/sign-in');
  await page.getByRole('button', { name: continueWith }).click();
  await page.getByRole('button', { name: 'ann' }).click();
  await expect(page.getByRole('button', { name: account('Ann of the village') })).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  expect(
    await page.evaluate(() =>
      Object.keys(sessionStorage).filter((key) => key.startsWith('earshot.provider')),
    ),
  ).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ browserOptions: { isPhone: true } });
  test('the page itself navigates to the provider, opens no window, and returns signed in', async ({
    page,
    browserContext,
  }) => {
    await page.goto('/sign-in');
    await page.getByRole('button', { name: continueWith }).tap();
    await page.getByRole('button', { name: 'ann' }).tap();
    await expect(page).toHaveURL(/\/library$/);
    await expect.poll(() => isSignedIn(page)).toBe(true);
    expect(browserContext.pages()).toHaveLength(1);
  });
});

test('a user without a password confirms their identity at the provider, and the change is made', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/403/);
  await page.goto('/sign-in');
  await signInInPopup(page, { press: continueWith, user: 'ann' });
  await expect(page).toHaveURL(/\/library$/);
  await page.goto('/settings/security');
  ageProofs(server.dataDir);
  await page.getByRole('button', { name: 'Add password' }).click();
  await page.getByLabel('New password', { exact: true }).fill('a quiet harbour at dusk 7');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  await signInInPopup(page, { press: 'Confirm with Village ID', user: 'ann' });
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible();
});

test("a request that lost its session is repeated after a sign-in in the provider's window", async ({
  page,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/401/);
  await page.goto('/sign-in');
  await signInInPopup(page, { press: continueWith, user: 'ann' });
  await expect(page.getByRole('button', { name: account('Ann') })).toBeVisible();
  await revokeSession(browserContext);
  await page.getByRole('link', { name: 'Trash', exact: true }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await signInInPopup(page, { press: continueWith, user: 'ann' });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Trash', level: 1 })).toBeVisible();
  await expect.poll(() => isSignedIn(page)).toBe(true);
});

test('reports a cancelled sign-in at the provider and a window closed too early, and both can be retried', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/400/);
  await page.goto('/sign-in');
  await signInInPopup(page, { press: continueWith, user: 'nobody' });
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use email' })).toBeVisible();

  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: continueWith }).click();
  const popup = await opening;
  await popup.getByRole('button', { name: 'ann' }).waitFor();
  await expect(
    page.getByRole('button', { name: 'Use email' }),
    'nothing else is offered while the window is open',
  ).toHaveCount(0);
  await popup.close();
  await expect(page.getByText(/seems to be closed/)).toBeVisible();
  await signInInPopup(page, { press: 'Reopen window', user: 'ann' });
  await expect(page.getByRole('button', { name: account('Ann of the village') })).toBeVisible();
});

test('reports an unreachable provider, and a password still works', async ({
  page,
  village,
  consoleGuard,
}) => {
  consoleGuard.allow(/503/);
  await village.issuer.stop();
  await page.goto('/sign-in');
  await page.getByRole('button', { name: continueWith }).click();
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: continueWith })).toBeVisible();
  await page.getByRole('button', { name: 'Use email' }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
});

test(
  'links a provider in the settings, which then signs in to the same account, and unlinks it by password',
  { tag: '@core' },
  async ({ page, browserContext, consoleGuard }) => {
    consoleGuard.allow(/403/);
    const user = await signUp(page);
    const name = user.email.split('@')[0] ?? '';
    await page.goto('/settings/security');
    await signInInPopup(page, { press: 'Link Village ID', user: 'ann' });
    await expect(page.getByText('ann@village.example')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Link another Village ID account' })).toBeVisible();

    await revokeSession(browserContext);
    await page.goto('/sign-in');
    await signInInPopup(page, { press: continueWith, user: 'ann' });
    await expect(page.getByRole('button', { name: account(name) })).toBeVisible();

    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Unlink Village ID' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink', exact: true }).click();
    // An account with a password must confirm with it: a sign-in by the provider is not enough.
    await confirmWithPassword(page, user);
    await expect(page.getByText('ann@village.example')).toHaveCount(0);
  },
);

test('the only way to sign in cannot be unlinked, and the reason is shown', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/409/);
  await page.goto('/sign-in');
  await signInInPopup(page, { press: continueWith, user: 'bob' });
  await expect(page.getByRole('button', { name: account('Bob') })).toBeVisible();
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Unlink Village ID' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink', exact: true }).click();
  await expect(page.getByText('bob@village.example')).toBeVisible();
  await expect(page.getByText(/no other way to sign in/).first()).toBeVisible();
});
