import type { BrowserContext, Page } from '@playwright/test';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { expect, openBrowser, test } from './earshot-test.ts';
import { changeDatabase, isSignedIn, newUser, signIn, signUp, submitAccount } from './steps.ts';

const userRow = (page: Page, email: string) => page.getByRole('listitem').filter({ hasText: email });

/** Routes the browser's requests for the server's public URL to the server, as a TLS-terminating proxy does. */
async function proxy(
  browser: BrowserContext,
  { publicUrl, server }: { publicUrl: string; server: EarshotServer },
): Promise<void> {
  await browser.route(`${publicUrl}/**`, async (route) => {
    const { pathname, search, host } = new URL(route.request().url());
    const response = await route.fetch({
      url: `${server.url}${pathname}${search}`,
      headers: { ...(await route.request().allHeaders()), host },
      maxRedirects: 0,
    });
    await route.fulfill({ response });
  });
}

test('an administrator disables an account, which signs its user out, and enables it again', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|403/);
  await signUp(page);
  const member = await openBrowser({ profile: '', baseURL: server.url });
  const memberPage = member.pages()[0] ?? (await member.newPage());
  await memberPage.goto('/');
  const user = await signUp(memberPage);

  await page.goto('/settings/people');
  const row = userRow(page, user.email);
  await row.getByRole('button', { name: /^Turn off .*’s account$/ }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Turn off account' })
    .click();
  await expect(row).toContainText('Turned off');
  await expect.poll(() => isSignedIn(memberPage)).toBe(false);
  await memberPage.goto('/sign-in');
  await submitAccount(memberPage, user, 'Sign in');
  await expect(memberPage.getByRole('main').getByRole('alert')).toContainText(/turned off/i);

  await row.getByRole('button', { name: /^Turn on .*’s account$/ }).click();
  await expect(row).not.toContainText('Turned off');
  await signIn(memberPage, user);

  // An administrator could have used the link themselves, so the account's owner is notified.
  await row.getByRole('button', { name: /^Password reset link for/ }).click();
  await expect(page.getByRole('dialog')).toContainText('/reset-password');
  await memberPage.reload();
  const announcement = memberPage.getByRole('dialog', {
    name: 'A password reset link was created for your account',
  });
  await expect(announcement).toContainText('created a password reset link for your account');
  await announcement.getByRole('button', { name: 'I have read this' }).click();
  await expect(announcement).toBeHidden();
  await memberPage.goto('/settings/security');
  for (const event of ['A password reset link was created.', 'The account was turned off.'])
    await expect(memberPage.getByRole('listitem').filter({ hasText: event })).toBeVisible();
  await expect(announcement).toBeHidden();
  await member.close();
});

test('an administrator gives existing accounts the limit of new ones, by keyboard on a narrow screen', async ({
  profile,
}) => {
  const server = await EarshotServer.launch({ SIGN_UP_QUOTA_BYTES: '20000000000' });
  const browser = await openBrowser({ profile, baseURL: server.url });
  const page = browser.pages()[0] ?? (await browser.newPage());
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  await signUp(page);
  const other = await openBrowser({ profile: '', baseURL: server.url });
  const otherPage = other.pages()[0] ?? (await other.newPage());
  await otherPage.goto('/');
  const user = await signUp(otherPage);
  await other.close();
  changeDatabase(server.dataDir, 'DELETE FROM quotas');

  await page.goto('/settings/people');
  const open = page.getByRole('button', { name: 'Limit for existing accounts' });
  await open.press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Limit for existing accounts' });
  await expect(dialog).toContainText('Accounts without a storage limit: 1. Each of them gets 20 GB');
  await expect(dialog).toContainText('Accounts already over it: 0. Nothing is deleted');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(userRow(page, user.email)).not.toContainText('limit:');

  await open.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Set limit' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Limit set. Accounts: 1')).toBeVisible();
  await expect(userRow(page, user.email)).toContainText('limit: 20 GB');
  await expect(open).toBeHidden();
  await browser.close();
  await server.dispose();
});

test("a public server's first sign-up needs the set-up code; its administrator sees a full-disk warning", async ({
  profile,
  consoleGuard,
}) => {
  consoleGuard.allow(/422/);
  const publicUrl = 'https://ear.example.org';
  const server = await EarshotServer.launch({
    PUBLIC_URL: publicUrl,
    DISK_RESERVE_BYTES: String(Number.MAX_SAFE_INTEGER),
  });
  const browser = await openBrowser({ profile, baseURL: publicUrl });
  await proxy(browser, { publicUrl, server });
  const page = browser.pages()[0] ?? (await browser.newPage());
  await page.goto('/sign-up');
  const code = page.getByRole('textbox', { name: 'Set-up code' });
  await code.fill('0000-0000-0000');
  await submitAccount(page, newUser(), 'Create account');
  await expect(page.getByText('Wrong set-up code.')).toBeVisible();
  await code.fill(/\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(server.output)?.[0] ?? '');
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await expect.poll(() => isSignedIn(page)).toBe(true);
  await page.goto('/settings/people');
  await expect(page.getByRole('listitem').filter({ hasText: 'Admin' })).toHaveCount(1);
  await page.goto('/settings/status');
  await expect(
    page.getByRole('alert').filter({ hasText: 'The server’s disk is almost full.' }),
  ).toBeVisible();
  // The event stream never ends, so the proxy's routes are removed without waiting for it.
  await browser.unrouteAll({ behavior: 'ignoreErrors' });
  await browser.close();
  await server.dispose();
});

test('warns the administrator behind an unconfigured proxy that per-network limits are off, and says why', async ({
  page,
  server,
}) => {
  await signUp(page);
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' });
  await page.goto('/settings/status');
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(
    'TRUSTED_PROXY_HOPS: 0. Addresses in X-Forwarded-For: 1.',
  );
  expect(server.output).toContain('TRUSTED_PROXY_HOPS');
});

test('the administrator sees a job that failed permanently and runs it again', async ({ page, server }) => {
  await signUp(page);
  changeDatabase(
    server.dataDir,
    `INSERT INTO jobs (id, kind, payload, state, priority, attempts, run_at, fence, error, created_at, updated_at)
    VALUES ('00000000-0000-7000-8000-000000000001', 'finish-take', '{"recordingId":"00000000-0000-7000-8000-000000000002"}', 'failed', 0, 2, 0, 2, 'the server ended while this job ran', 0, 0)`,
  );
  await page.goto('/settings/status');
  await expect(page.getByRole('heading', { name: 'Failed jobs' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Failed jobs: 1');
  await page.getByRole('button', { name: 'Try again: finish-take' }).click();
  await expect(page.getByRole('heading', { name: 'Failed jobs' })).toBeHidden();
});

test('the administrator sees what runs; other users get neither entry nor answer', async ({
  page,
  server,
  consoleGuard,
}) => {
  consoleGuard.allow(/403/);
  await signUp(page);
  await page.goto('/settings/people');
  await page.getByRole('link', { name: 'Server status' }).click();
  const main = page.getByRole('main');
  await expect(main.getByRole('listitem').filter({ hasText: 'This node' })).toContainText('Running');
  await expect(main).toContainText('SQLite');
  await expect(main.getByText(/complete verification/)).toBeVisible();

  const member = await openBrowser({ profile: '', baseURL: server.url });
  const memberPage = member.pages()[0] ?? (await member.newPage());
  await memberPage.goto('/');
  await signUp(memberPage);
  await memberPage.goto('/settings/status');
  await expect(memberPage).toHaveURL(/settings$/);
  await expect(memberPage.getByRole('link', { name: 'Server status' })).toHaveCount(0);
  expect(await memberPage.evaluate(async () => (await fetch('/api/admin/status')).status)).toBe(403);
  await member.close();
});

test('the page Server status says when its facts are from, while the server does not respond', async ({
  page,
  server,
}) => {
  await page.clock.install();
  await signUp(page);
  await page.goto('/settings/status');
  const main = page.getByRole('main');
  const [fine, old] = [main.getByText('No problems found.'), main.getByText('This page isn’t up to date.')];
  await expect(main.getByText('There’s no backup of this server.')).toBeVisible();
  await expect(fine).toHaveCount(0);
  process.kill(server.pid ?? 0, 'SIGSTOP');
  try {
    await page.clock.fastForward('00:31');
    await expect(old).toBeVisible();
  } finally {
    process.kill(server.pid ?? 0, 'SIGCONT');
  }
  await page.clock.fastForward('01:00');
  await expect(old).toHaveCount(0);
});
