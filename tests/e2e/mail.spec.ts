import type { Page } from '@playwright/test';
import { SmtpSink } from '#tests/support/smtp-sink.ts';
import { signInInPopup, expect, test as base } from './provider-test.ts';
import { isSignedIn, revokeSession, submitAccount } from './steps.ts';

const test = base.extend({
  sink: async ({}, use) => {
    const sink = await SmtpSink.open();
    await use(sink);
    await sink.close();
  },
});

const ann = { email: 'ann@village.example', password: 'a quiet harbour at dusk 7' };

/** Waits until an address has `count` mails and returns the text of the last. */
async function mailTo(sink: SmtpSink | null, address: string, count: number): Promise<string> {
  await expect.poll(() => sink?.to(address).length ?? 0, { timeout: 30_000 }).toBe(count);
  return sink?.to(address).at(-1)?.text ?? '';
}

async function signUpByMail(page: Page, sink: SmtpSink | null): Promise<void> {
  await page.goto('/sign-up');
  await submitAccount(page, ann, 'Create account');
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  const [code = ''] = /\d{4}[ -]?\d{4}/.exec(await mailTo(sink, ann.email, 1)) ?? [];
  await page.getByRole('textbox', { name: 'Code from the email' }).fill(code);
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await expect(page).toHaveURL(/\/library$/);
  await expect.poll(() => isSignedIn(page)).toBe(true);
}

test('where the server sends mail, signing up needs the code sent to the address', async ({
  page,
  sink,
  consoleGuard,
}) => {
  consoleGuard.allow(/422/);
  await page.goto('/sign-up');
  await submitAccount(page, ann, 'Create account');
  const code = page.getByRole('textbox', { name: 'Code from the email' });
  await code.fill('00000000');
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  expect(await isSignedIn(page)).toBe(false);
  const [right = ''] = /\d{4}[ -]?\d{4}/.exec(await mailTo(sink, ann.email, 1)) ?? [];
  await code.fill(right);
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await expect.poll(() => isSignedIn(page)).toBe(true);
});

test(
  'resets a forgotten password by a mailed link, whose token leaves the address bar immediately',
  { tag: '@core' },
  async ({ page, sink, browserContext, consoleGuard }) => {
    // The old session may end while the library still sends requests.
    consoleGuard.allow(/401/);
    await signUpByMail(page, sink);
    await revokeSession(browserContext);
    await page.goto('/sign-in');
    await page.getByRole('button', { name: 'Use email', exact: true }).click();
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(ann.email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('Check your email')).toBeVisible();
    const [link = ''] = /http\S+#[\w-]{43}/.exec(await mailTo(sink, ann.email, 2)) ?? [];
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
    expect(await page.evaluate(() => location.hash)).toBe('');
    const next = { ...ann, password: 'another harbour, much louder 8' };
    await page.getByLabel('New password', { exact: true }).fill(next.password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await expect(page).toHaveURL(/\/sign-in$/);
    expect(await isSignedIn(page)).toBe(false);
    await submitAccount(page, next, 'Sign in');
    await expect.poll(() => isSignedIn(page)).toBe(true);
  },
);

test('reports a truncated link from a mail, and retries one that could not be checked', async ({
  page,
  sink,
  consoleGuard,
}) => {
  consoleGuard.allow(/410|ERR_CONNECTION_FAILED/);
  await signUpByMail(page, sink);
  for (const path of ['/reset-password', '/undo-email-change']) {
    await page.goto(`${path}#half-of-a-token`);
    await expect(page.getByText('This link no longer works')).toBeVisible();
    await expect(
      page.getByText('The link may have expired, been used already, or been cut off. Request a new one.'),
    ).toBeVisible();
  }
  await page.route('**/auth/password/reset/check', (route) => route.abort('connectionfailed'));
  await page.goto(`/reset-password#${'a'.repeat(43)}`);
  await expect(page.getByRole('main').getByText(/Can’t reach the server/)).toBeVisible();
  await expect(page.getByText('This link no longer works')).toHaveCount(0);
  const tryAgain = page.getByRole('button', { name: 'Try again', exact: true });
  await expect(tryAgain).toBeVisible();
  await page.unrouteAll();
  // The page also tries again by itself when another request has reached the server.
  await expect(async () => {
    if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 1000 });
    await expect(page.getByText('This link no longer works')).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test("links a provider account with another account's address only after a sign-in to that account", async ({
  page,
  sink,
  browserContext,
  consoleGuard,
}) => {
  // The session may end while the library still sends requests.
  consoleGuard.allow(/401|409/);
  await signUpByMail(page, sink);
  await revokeSession(browserContext);
  await page.goto('/sign-in');
  await signInInPopup(page, { press: 'Continue with Village ID', user: 'ann' });
  await expect(page.getByRole('heading', { name: 'You already have an account' })).toBeVisible();
  expect(await isSignedIn(page)).toBe(false);
  await page.getByRole('button', { name: 'Sign in another way' }).click();
  await submitAccount(page, ann, 'Sign in');
  await expect(page.getByRole('heading', { name: /^Link .*Village ID/ })).toBeVisible();
  await signInInPopup(page, { press: 'Link Village ID', user: 'ann' });
  await expect(page.getByText(/Village ID.* is now linked to your account/)).toBeVisible();
  await page.goto('/settings/security');
  await expect(page.getByText('ann@village.example').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Unlink Village ID' })).toBeVisible();
});

test('the owner restores an address that a thief changed, by the mailed link, which signs the thief out', async ({
  page,
  sink,
  consoleGuard,
}) => {
  // The page is the thief's: its event stream loses the session.
  consoleGuard.allow(/401/);
  await signUpByMail(page, sink);
  await page.goto('/settings/profile');
  await page.getByRole('button', { name: 'Change email address' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill('thief@elsewhere.example');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const [code = ''] = /\d{4}[ -]?\d{4}/.exec(await mailTo(sink, 'thief@elsewhere.example', 1)) ?? [];
  await page.getByRole('textbox', { name: 'Code from the email' }).fill(code);
  await page.getByRole('dialog').getByRole('button', { name: 'Change email address' }).click();
  await expect(page.getByText('thief@elsewhere.example').first()).toBeVisible();

  const [link = ''] = /http\S+#[\w-]{43}/.exec(await mailTo(sink, ann.email, 2)) ?? [];
  await page.goto(link);
  await page.getByRole('button', { name: 'Restore your old address' }).click();
  await expect(page.getByText('Your old address is restored')).toBeVisible();
  expect(await page.evaluate(() => location.hash)).toBe('');
  await expect.poll(() => isSignedIn(page)).toBe(false);
  await page.goto('/sign-in');
  await submitAccount(page, ann, 'Sign in');
  await expect.poll(() => isSignedIn(page)).toBe(true);
});
