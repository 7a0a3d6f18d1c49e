import type { BrowserContext, Page, Request } from '@playwright/test';
import { openHoldingPage } from '../support/open-holding-page.ts';
import { appHeaders } from '../support/raw-http.ts';
import { expect, test } from './earshot-test.ts';
import { createAccount, type Person } from './steps.ts';

/** Puts the cookies of somebody into the browser without any page hearing of it. */
async function switchTo(context: BrowserContext, { email, password }: Person): Promise<void> {
  await context.clearCookies();
  expect((await context.request.post('/auth/login', { headers: appHeaders, data: { email, password } })).status()).toBe(200);
}

/** The requests to one path, as they leave the page. */
function watch(page: Page, path: string): Request[] {
  const seen: Request[] = [];
  page.on('request', (request) => { if (new URL(request.url()).pathname === path) seen.push(request); });
  return seen;
}

/** Opens an empty library and waits until the page asks for nothing more: it reads its lists a second time once its live connection is there. */
async function openLibrary(page: Page): Promise<void> {
  const lists = watch(page, '/api/recordings');
  const underWay = new Set<Request>();
  const isShort = (request: Request) => /\/api\/(?!events)/.test(request.url());
  page.on('request', (request) => { if (isShort(request)) underWay.add(request); });
  page.on('requestfinished', (request) => { underWay.delete(request); });
  page.on('requestfailed', (request) => { underWay.delete(request); });
  await page.goto('/library');
  await expect(page.getByRole('button', { name: /Account of/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Nothing recorded yet' })).toBeVisible();
  await expect.poll(() => lists.length > 1 && underWay.size === 0).toBe(true);
}

const send = (page: Page, url: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}) => page.evaluate(([to, how]) => holding.send(to, how), [url, init] as const);
const ends = (page: Page) => page.evaluate(() => holding.ends);
const events = (page: Page) => page.evaluate(() => holding.events);
const heldCount = (page: Page) => page.evaluate(() => holding.heldCount());
const logInAs = (page: Page, { email, password }: Person) => page.evaluate(([typed, secret]) => holding.logIn(typed, secret), [email, password] as const);
const confirm = (page: Page) => page.evaluate(() => holding.confirm());
const lost = { status: 401, contentType: 'application/problem+json', body: JSON.stringify({ type: '/problems/session-expired', title: '', status: 401, instance: 'urn:uuid:0', code: 'session-expired' }) };

test.beforeEach(({ consoleGuard }) => { consoleGuard.allow(/40[139]|41[05]|422/); });

test('five requests that lose the session together raise one login-required and are sent once more each', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const sent = watch(tab, '/api/recordings');
  await browserContext.clearCookies();
  await tab.evaluate(() => { for (let n = 0; n < 5; n += 1) holding.send('/api/recordings'); });
  await expect.poll(() => heldCount(tab)).toBe(5);
  expect(await events(tab)).toEqual(['login-required']);
  expect(await logInAs(tab, alice)).toBe('ok');
  expect(await confirm(tab)).toBe(true);
  await expect.poll(() => ends(tab)).toEqual(['200', '200', '200', '200', '200']);
  expect(sent).toHaveLength(10);
  expect(await events(tab)).toEqual(['login-required', 'login-confirmed']);
});

test('a retry that gets 401 again is settled with it after two attempts, both with the same idempotency key', async ({ browserContext }) => {
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const sent = watch(tab, '/api/things');
  await tab.route('**/api/things', (route) => route.fulfill(lost));
  await send(tab, '/api/things', { method: 'POST', body: '{}' });
  await expect.poll(() => ends(tab)).toEqual(['401']);
  const keys = await Promise.all(sent.map((request) => request.headerValue('idempotency-key')));
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('a 401 that arrives after the sign-in opens no second episode', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const slow = Promise.withResolvers<void>();
  let answers = 0;
  await tab.route((url) => url.search === '?limit=5', async (route) => {
    answers += 1;
    if (answers > 1) return route.continue();
    await slow.promise;
    return route.fulfill(lost);
  });
  await browserContext.clearCookies();
  await send(tab, '/api/recordings?limit=5');
  await send(tab, '/api/recordings');
  await expect.poll(() => heldCount(tab)).toBe(1);
  await logInAs(tab, alice);
  await confirm(tab);
  slow.resolve();
  await expect.poll(() => ends(tab)).toEqual(['200', '200']);
  expect(await events(tab)).toEqual(['login-required', 'login-confirmed']);
});

test('a wrong password is an answer: nothing is held and nothing is asked', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  await browserContext.clearCookies();
  const tab = await openHoldingPage(browserContext);
  expect(await logInAs(tab, { ...alice, password: 'not the right one at all' })).toBe('invalid-credentials');
  expect(await events(tab)).toEqual([]);
  expect(await heldCount(tab)).toBe(0);
});

test('cancelling rejects everything that waits', async ({ browserContext }) => {
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  await browserContext.clearCookies();
  await send(tab, '/api/recordings');
  await send(tab, '/api/profile', { method: 'PATCH', body: '{}', headers: { 'content-type': 'application/json' } });
  await expect.poll(() => heldCount(tab)).toBe(2);
  await tab.evaluate(() => holding.cancel());
  await expect.poll(() => ends(tab)).toEqual(['login-cancelled', 'login-cancelled']);
});

test('abuse case 35: what Alice had waiting is never sent when Bob signs in in the same tab, and her caches are empty', async ({ browserContext }) => {
  const bob = await createAccount(browserContext);
  await browserContext.clearCookies();
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  await tab.evaluate(() => holding.remember());
  const sent = [watch(tab, '/api/recordings'), watch(tab, '/api/profile')];
  await browserContext.clearCookies();
  await send(tab, '/api/recordings');
  await send(tab, '/api/profile', { method: 'PATCH', body: '{"displayName":"Alice was here"}', headers: { 'content-type': 'application/json' } });
  await expect.poll(() => heldCount(tab)).toBe(2);
  await logInAs(tab, bob);
  await confirm(tab);
  await expect.poll(() => ends(tab)).toEqual(['principal-changed', 'principal-changed']);
  expect(sent.map(({ length }) => length)).toEqual([1, 1]);
  expect(await tab.evaluate(() => holding.remembered())).toBeNull();
  expect(await tab.evaluate(() => holding.person())).toBe(bob.id);
});

test('abuse case 35: nor when Bob signs in in another tab', async ({ browserContext }) => {
  const bob = await createAccount(browserContext);
  await browserContext.clearCookies();
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const sent = watch(tab, '/api/recordings');
  await tab.evaluate(() => holding.remember());
  await browserContext.clearCookies();
  await send(tab, '/api/recordings');
  await expect.poll(() => heldCount(tab)).toBe(1);
  const other = await openHoldingPage(browserContext);
  await logInAs(other, bob);
  await confirm(other);
  await expect.poll(() => ends(tab)).toEqual(['principal-changed']);
  expect(sent).toHaveLength(1);
  expect(await tab.evaluate(() => holding.remembered())).toBeNull();
});

test('an abort settles a request that waits, and it is not sent again', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const sent = watch(tab, '/api/recordings');
  await browserContext.clearCookies();
  const place = await send(tab, '/api/recordings');
  await expect.poll(() => heldCount(tab)).toBe(1);
  await tab.evaluate((at) => holding.abort(at), place);
  await expect.poll(() => ends(tab)).toEqual(['no longer needed']);
  await logInAs(tab, alice);
  await confirm(tab);
  expect(sent).toHaveLength(1);
});

test('forms and blobs arrive the second time as they did the first', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const bodies: Record<string, string[]> = { '/api/form': [], '/api/blob': [] };
  await tab.route(/\/api\/(form|blob)$/, async (route) => {
    const path = new URL(route.request().url()).pathname;
    const seen = bodies[path] ?? [];
    // The boundary between the parts of a form is the browser's, and another one each time.
    seen.push((route.request().postDataBuffer() ?? Buffer.alloc(0)).toString('latin1').replaceAll(/-{4,}WebKitFormBoundary\w+/g, '#'));
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

test('a sign-in in one tab releases what waits in another', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  const [a, b] = [await openHoldingPage(browserContext), await openHoldingPage(browserContext)];
  await browserContext.clearCookies();
  await send(a, '/api/recordings');
  await expect.poll(() => heldCount(a)).toBe(1);
  await logInAs(b, alice);
  await confirm(b);
  await expect.poll(() => ends(a)).toEqual(['200']);
});

test('a cookie that was switched behind the page’s back is refused by the server, and the page learns who is there', async ({ browserContext }) => {
  const bob = await createAccount(browserContext);
  await browserContext.clearCookies();
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  await switchTo(browserContext, bob);
  await send(tab, '/api/profile', { method: 'PATCH', body: '{"displayName":"Alice was here"}', headers: { 'content-type': 'application/json' } });
  await expect.poll(() => ends(tab)).toEqual(['409']);
  await expect.poll(() => tab.evaluate(() => holding.person())).toBe(bob.id);
  expect(await events(tab)).toEqual(['principal-changed']);
});

test('a 403 raises forbidden and goes to its caller', async ({ browserContext }) => {
  // The first account of a server is its admin's; the second one may not look at the list of people.
  await createAccount(browserContext);
  await browserContext.clearCookies();
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  await send(tab, '/api/admin/users');
  await expect.poll(() => ends(tab)).toEqual(['403']);
  expect(await events(tab)).toEqual(['forbidden']);
});

test('on a first visit what needs an account waits, and belongs to whoever signs in', async ({ browserContext }) => {
  const alice = await createAccount(browserContext);
  await browserContext.clearCookies();
  const tab = await openHoldingPage(browserContext);
  const sent = watch(tab, '/api/recordings');
  await send(tab, '/api/recordings');
  await expect.poll(() => heldCount(tab)).toBe(1);
  await logInAs(tab, alice);
  await confirm(tab);
  await expect.poll(() => ends(tab)).toEqual(['200']);
  expect(await Promise.all(sent.map((request) => request.headerValue('x-expected-principal')))).toEqual([null, alice.id]);
});

test('abuse case 36: a forged confirmation makes the page ask the server, and releases nothing', async ({ browserContext }) => {
  await createAccount(browserContext);
  const tab = await openHoldingPage(browserContext);
  const sent = watch(tab, '/api/recordings');
  const questions = watch(tab, '/auth/session');
  await browserContext.clearCookies();
  await send(tab, '/api/recordings');
  await expect.poll(() => heldCount(tab)).toBe(1);
  const asked = questions.length;
  const forger = await openHoldingPage(browserContext);
  await forger.evaluate(() => {
    const channel = new BroadcastChannel('auth');
    channel.postMessage('confirmed');
    channel.postMessage({ type: 'confirmed', userId: 'mallory', epoch: 9 });
    channel.postMessage({ type: 'provider-answer', provider: 'google', body: { code: 'stolen', state: 'guessed' } });
  });
  await tab.evaluate(() => { postMessage({ type: 'confirmed', userId: 'mallory' }, '*'); });
  await expect.poll(() => questions.length).toBeGreaterThan(asked);
  expect(await heldCount(tab)).toBe(1);
  expect(sent).toHaveLength(1);
  expect(await events(tab)).toEqual(['login-required']);
});

test('one tab shows the sign-in, the other says where it is and can take it over', async ({ browserContext, page }) => {
  const alice = await createAccount(browserContext);
  const second = await browserContext.newPage();
  // A list still on its way would meet the lost session first, and a dialog lie over the link.
  for (const tab of [page, second]) await openLibrary(tab);
  await browserContext.clearCookies();
  await second.getByRole('link', { name: 'Trash', exact: true }).first().click();
  await expect(second.getByRole('dialog')).toBeVisible();
  await page.bringToFront();
  await page.getByRole('link', { name: 'Trash', exact: true }).first().click();
  await expect(page.getByText('The sign-in is open in another tab.')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign in here instead' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(second.getByRole('dialog')).toHaveCount(0);
  const form = page.locator('form').filter({ has: page.getByRole('textbox', { name: 'E-mail' }) });
  await form.getByRole('textbox', { name: 'E-mail' }).fill(alice.email);
  await form.getByLabel('Password', { exact: true }).fill(alice.password);
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(second.getByText('The sign-in is open in another tab.')).toHaveCount(0);
  await expect(second.getByRole('button', { name: /Account of/ })).toBeVisible();
});
