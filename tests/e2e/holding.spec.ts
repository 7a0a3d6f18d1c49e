import type { BrowserContext, Page } from '@playwright/test';
import { openHoldingPage } from '#tests/support/open-holding-page.ts';
import { appHeaders } from '#tests/support/raw-http.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { createAccount, openQuietly, type TestUser } from './steps.ts';

/** Signs another account in through cookies alone, so that no page is notified. */
async function switchTo(context: BrowserContext, { email, password }: TestUser): Promise<void> {
  await context.clearCookies();
  expect(
    (await context.request.post('/auth/login', { headers: appHeaders, data: { email, password } })).status(),
  ).toBe(200);
}

const send = (
  page: Page,
  url: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
) => page.evaluate(([to, how]) => holding.send(to, how), [url, init] as const);
const ends = (page: Page) => page.evaluate(() => holding.ends);
const events = (page: Page) => page.evaluate(() => holding.events);
const heldCount = (page: Page) => page.evaluate(() => holding.heldCount());
const logInAs = (page: Page, { email, password }: TestUser) =>
  page.evaluate(([typed, secret]) => holding.logIn(typed, secret), [email, password] as const);
const confirm = (page: Page) => page.evaluate(() => holding.confirm());
const changeName = (page: Page, displayName: string) =>
  send(page, '/api/profile', {
    method: 'PATCH',
    body: JSON.stringify({ displayName }),
    headers: { 'content-type': 'application/json' },
  });
/** The display name, on the server, of the account whose cookies the browser has. */
async function nameOnServer(context: BrowserContext): Promise<string | null> {
  const { user }: { user: { displayName: string | null } } = await (
    await context.request.get('/auth/session')
  ).json();
  return user.displayName;
}
const lost = {
  status: 401,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: '/problems/session-expired',
    title: '',
    status: 401,
    instance: 'urn:uuid:0',
    code: 'session-expired',
  }),
};

test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(/40[139]|41[05]|422/);
});

test(
  'one sign-in, in any tab, completes all requests that lost their session',
  { tag: '@core' },
  async ({ browserContext }) => {
    const alice = await createAccount(browserContext);
    const [tab, other] = [await openHoldingPage(browserContext), await openHoldingPage(browserContext)];
    await browserContext.clearCookies();
    await tab.evaluate(() => {
      for (let n = 0; n < 5; n += 1) holding.send('/api/recordings');
    });
    await changeName(other, 'Alice of the village');
    await expect.poll(() => heldCount(tab)).toBe(5);
    await expect.poll(() => heldCount(other)).toBe(1);
    expect(await events(tab)).toEqual(['login-required']);

    expect(await logInAs(tab, alice)).toBe('ok');
    expect(await confirm(tab)).toBe(true);
    await expect.poll(() => ends(tab)).toEqual(['200', '200', '200', '200', '200']);
    await expect.poll(() => ends(other)).toEqual(['200']);
    expect(await events(tab)).toEqual(['login-required', 'login-confirmed']);
    expect(await nameOnServer(browserContext)).toBe('Alice of the village');
  },
);

test(
  "abuse case 35: Bob, signing in in Alice's tab, neither sends her pending requests nor sees her data",
  { tag: '@core' },
  async ({ browserContext }) => {
    const bob = await createAccount(browserContext);
    await browserContext.clearCookies();
    await createAccount(browserContext);
    const [tab, other] = [await openHoldingPage(browserContext), await openHoldingPage(browserContext)];
    for (const each of [tab, other]) await each.evaluate(() => holding.remember());
    await browserContext.clearCookies();
    for (const each of [tab, other]) {
      await changeName(each, 'Alice was here');
      await expect.poll(() => heldCount(each)).toBe(1);
    }
    await logInAs(tab, bob);
    await confirm(tab);
    // The same holds in her other tab.
    for (const each of [tab, other]) {
      await expect.poll(() => ends(each)).toEqual(['principal-changed']);
      await expect.poll(() => each.evaluate(() => holding.remembered())).toBeNull();
      await expect.poll(() => each.evaluate(() => holding.user())).toBe(bob.id);
    }
    expect(await nameOnServer(browserContext)).not.toBe('Alice was here');
  },
);

test('sends forms and blobs unchanged after the sign-in', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const bodies: Record<string, string[]> = { '/api/form': [], '/api/blob': [] };
  await tab.route(/\/api\/(form|blob)$/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const seen = bodies[path] ?? [];
    // The browser generates the multipart boundary, a different one each time.
    seen.push(
      (route.request().postDataBuffer() ?? Buffer.alloc(0))
        .toString('latin1')
        .replaceAll(/-{4,}WebKitFormBoundary\w+/g, '#'),
    );
    await (seen.length > 1 ? route.fulfill({ status: 204 }) : route.fulfill(lost));
  });
  await browserContext.clearCookies();
  await tab.evaluate(() => {
    holding.send('/api/form', { method: 'POST', body: holding.formOf('Gespräch ') });
    holding.send('/api/blob', { method: 'POST', body: new Blob([new Uint8Array(300_000).fill(7)]) });
  });
  await expect.poll(() => heldCount(tab)).toBe(2);
  await logInAs(tab, alice);
  await confirm(tab);
  await expect.poll(() => ends(tab)).toEqual(['204', '204']);
  expect(bodies['/api/form']?.[1]).toBe(bodies['/api/form']?.[0]);
  expect(bodies['/api/form']?.[1]).toContain('filename="a.ogg"');
  expect(bodies['/api/blob']?.map(({ length }) => length)).toEqual([300_000, 300_000]);
});

test("rejects a change from a page whose cookie became Bob's, and the page switches to Bob", async ({
  browserContext,
}) => {
  const bob = await createAccount(browserContext);
  await browserContext.clearCookies();
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  await switchTo(browserContext, bob);
  await changeName(tab, 'Alice was here');
  await expect.poll(() => ends(tab)).toEqual(['409']);
  await expect.poll(() => tab.evaluate(() => holding.user())).toBe(bob.id);
  expect(await events(tab)).toEqual(['principal-changed']);
  expect(await nameOnServer(browserContext)).not.toBe('Alice was here');
});

test('abuse case 36: a forged confirmation releases no request; a real sign-in does', async ({
  browserContext,
}) => {
  const alice = await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  await browserContext.clearCookies();
  await send(tab, '/api/recordings');
  await expect.poll(() => heldCount(tab)).toBe(1);
  const asked = tab.waitForResponse('**/auth/session');
  const forger = await openHoldingPage(browserContext);
  await forger.evaluate(() => {
    const channel = new BroadcastChannel('auth');
    channel.postMessage('confirmed');
    channel.postMessage({ type: 'confirmed', userId: 'mallory', epoch: 9 });
    channel.postMessage({
      type: 'provider-answer',
      provider: 'google',
      body: { code: 'stolen', state: 'guessed' },
    });
  });
  await tab.evaluate(() => {
    postMessage({ type: 'confirmed', userId: 'mallory' }, '*');
  });
  await asked;
  expect(await heldCount(tab)).toBe(1);
  await logInAs(forger, alice);
  await confirm(forger);
  await expect.poll(() => ends(tab)).toEqual(['200']);
  expect(await events(tab)).toEqual(['login-required', 'login-confirmed']);
});

test('shows the sign-in in one tab; another tab says so and can take it over', async ({
  browserContext,
  page,
}) => {
  const alice = await createAccount(browserContext);
  const second = await browserContext.newPage();
  // A pending list request would lose the session first, and its dialog would cover the link.
  for (const tab of [page, second]) await openQuietly(tab, '/library', 'No recordings yet');
  await browserContext.clearCookies();
  await second.getByRole('link', { name: 'Trash', exact: true }).first().click();
  await expect(second.getByRole('dialog')).toBeVisible();
  await page.bringToFront();
  await page.getByRole('link', { name: 'Trash', exact: true }).first().click();
  await expect(page.getByText('Sign-in is open in another tab.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign in here instead' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(second.getByRole('dialog')).toHaveCount(0);
  const form = page.locator('form').filter({ has: page.getByRole('textbox', { name: 'Email' }) });
  await form.getByRole('textbox', { name: 'Email' }).fill(alice.email);
  await form.getByLabel('Password', { exact: true }).fill(alice.password);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(second.getByText('Sign-in is open in another tab.')).toHaveCount(0);
  await expect(second.getByRole('button', { name: /’s account$/ })).toBeVisible();
});
