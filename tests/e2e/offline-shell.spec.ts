import type { BrowserContext, Page } from '@playwright/test';
import type { EarshotServer } from '#tests/support/earshot-server.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { expect, test } from './earshot-test.ts';
import {
  expectWhole,
  isSignedIn,
  listed,
  onlyReadyRecording,
  signUp,
  signUpOnScreen,
  startTake,
  stopTake,
  submitAccount,
  takesOnDevice,
  untilClock,
  untilSaved,
  onServerSentence,
} from './steps.ts';

test.use({ browserOptions: { serviceWorkers: 'allow' } });
test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(/net::ERR_/);
});

/** Visits the app once, closes all pages, kills the server and opens the app again at a path. */
async function reopenWithoutServer({
  page,
  browserContext,
  server,
  path,
}: {
  page: Page;
  browserContext: BrowserContext;
  server: EarshotServer;
  path: string;
}): Promise<Page> {
  await untilSaved(page);
  const next = await browserContext.newPage();
  await page.close();
  await server.end('SIGKILL');
  await next.goto(server.url + path);
  return next;
}

const noConnection = (page: Page) => page.getByText('Can’t reach the server', { exact: true });

test(
  'after one visit the app opens and records offline; the take uploads once there is a server and a session',
  { tag: '@core' },
  async ({ page, browserContext, server }) => {
    const offline = await reopenWithoutServer({ page, browserContext, server, path: '/' });
    await expect(noConnection(offline)).toBeVisible();
    await startTake(offline);
    await untilClock(offline, 3000);
    await stopTake(offline);
    await expect(offline.getByText(/complete and saved on this device only/)).toBeVisible();
    expect((await takesOnDevice(offline)).map(({ state }) => state)).toEqual(['stopped']);

    await server.start();
    await expect(noConnection(offline)).toBeHidden({ timeout: 30_000 });
    await signUp(offline);
    await expectWhole(offline, await onlyReadyRecording(offline), 3000);
  },
);

test('offline, a signed-in user finds name, list and states, and a new recording waits for upload', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  await startTake(page);
  await untilClock(page, 2000);
  await stopTake(page);
  const { id } = await onlyReadyRecording(page);
  const elsewhere = await uploadLongRecording(server.url, await cookieHeader(browserContext, server.url));
  await page.goto('/library');
  await expect(page.getByRole('main').getByText('On server', { exact: true })).toHaveCount(2);

  const offline = await reopenWithoutServer({ page, browserContext, server, path: '/library' });
  await expect(offline.getByRole('button', { name: /account$/ })).toBeVisible();
  await expect(offline.getByText('Can’t reach the server. Showing what’s on this device.')).toBeVisible();
  await expect(offline.locator(`a[href="/recordings/${id}"]`)).toBeVisible();
  await expect(offline.getByRole('main').getByText('On server', { exact: true })).toHaveCount(2);
  const onServerOnly = offline.locator(`a[href="/recordings/${elsewhere}"]`);
  const title = await onServerOnly.innerText();
  await onServerOnly.click();
  await expect(offline.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(offline.getByText('The recording opens when the server responds.')).toBeVisible();

  await offline.getByRole('link', { name: 'Record', exact: true }).first().click();
  await expect(onServerOnly, 'the recorder lists it too').toBeVisible();
  await expect(offline.getByText(/No account needed/)).toHaveCount(0);
  await startTake(offline);
  await untilClock(offline, 1500);
  await stopTake(offline);
  await expect(offline.getByText('Saved on this device. It uploads when you’re back online.')).toBeVisible();
  await expect(offline.getByText(/Sign in to save/)).toHaveCount(0);
  await server.start();
  await expect(offline.getByText(onServerSentence)).toBeVisible({
    timeout: 60_000,
  });
});

test('a server and a session that become available mid-take receive it from its first second', async ({
  page,
  browserContext,
  server,
}) => {
  await signUp(page);
  const offline = await reopenWithoutServer({ page, browserContext, server, path: '/' });
  await startTake(offline);
  await untilClock(offline, 2000);
  await server.start();
  await expect(offline.getByText('Saved on the server')).toBeVisible({ timeout: 30_000 });
  expect((await listed(offline)).map(({ state }) => state)).toEqual(['receiving']);
  await untilClock(offline, 4000);
  await stopTake(offline);
  await expectWhole(offline, await onlyReadyRecording(offline), 4000);
});

test('signing in in another tab mid-take attaches the running take', async ({ page, browserContext }) => {
  await startTake(page);
  await untilClock(page, 1500);
  const second = await browserContext.newPage();
  // The form is used because it notifies the other tabs.
  await signUpOnScreen(second);
  await expect(page.getByText('Saved on the server')).toBeVisible({ timeout: 30_000 });
  await untilClock(page, 3000);
  await stopTake(page);
  await expectWhole(page, await onlyReadyRecording(page), 3000);
});

test('a cached page is prerendered, in a newly chosen language from the next load on, and the app replaces it', async ({
  page,
  browserContext,
  server,
}) => {
  await untilSaved(page);
  const opened = await page.goto('/library');
  expect(opened?.fromServiceWorker()).toBe(true);
  expect(await opened?.text()).toMatch(/data-prerendered="library".*<h1[^>]*>Library</);
  await browserContext.addCookies([{ name: 'lang', value: 'de', url: server.url }]);
  await expect
    .poll(async () => (await page.reload())?.text())
    .toMatch(/<link rel="modulepreload"[^>]*\/de-first-.*data-prerendered="library".*<h1[^>]*>Bibliothek</s);
  await expect(page.getByRole('heading', { level: 1, name: 'Bibliothek' })).toBeVisible();

  await server.end('SIGKILL');
  expect(await (await page.goto('/'))?.text()).toContain('data-prerendered="record"');
  await expect(page.getByRole('button', { name: 'Aufnehmen' })).toBeVisible();
});

test('offline, a deep link opens in Arabic, right to left and dark, from the first byte', async ({
  page,
  browserContext,
  server,
}) => {
  await browserContext.addCookies([
    { name: 'lang', value: 'ar', url: server.url },
    { name: 'theme', value: 'dark', url: server.url },
  ]);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await untilSaved(page);
  await server.end('SIGKILL');
  const next = await browserContext.newPage();
  const reply = await next.goto(`${server.url}/library`);
  expect(reply?.fromServiceWorker()).toBe(true);
  expect(await reply?.text()).toContain('<html lang="ar" dir="rtl" data-theme="dark">');
  await expect(next.getByRole('heading', { level: 1, name: 'المكتبة' })).toBeVisible();
});

test('caches a newly chosen language for offline use', async ({ page, browserContext, server }) => {
  await untilSaved(page);
  await page.getByRole('button', { name: /English/ }).click();
  await page
    .getByRole('option', { name: /Deutsch/ })
    .or(page.getByRole('radio', { name: /Deutsch/ }))
    .first()
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const offline = await reopenWithoutServer({ page, browserContext, server, path: '/library' });
  await expect(offline.getByRole('heading', { level: 1, name: 'Bibliothek' })).toBeVisible();
});

test("offline, a signed-in user sees and plays this device's takes; after signing out they are hidden", async ({
  page,
  browserContext,
  server,
  consoleGuard,
}) => {
  // The recording's page is open during the sign-out, and its later requests are rejected.
  consoleGuard.allow(/401/);
  const user = await signUp(page);
  await startTake(page);
  await untilClock(page, 1500);
  await stopTake(page);
  await onlyReadyRecording(page);
  const offline = await reopenWithoutServer({ page, browserContext, server, path: '/library' });
  const rows = offline.getByRole('link', { name: /\d:\d\d/ });
  await expect(rows).toHaveCount(1);
  await rows.first().click();
  await offline.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(offline.getByRole('slider', { name: 'Position' }).first()).toHaveAttribute(
    'aria-valuenow',
    /[1-9]/,
  );

  await server.start();
  await expect(noConnection(offline)).toBeHidden({ timeout: 30_000 });
  await offline.getByRole('button', { name: new RegExp(`${user.email.split('@')[0]}.*’s account`) }).click();
  await offline.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await expect.poll(() => isSignedIn(offline)).toBe(false);
  const afterwards = await reopenWithoutServer({ page: offline, browserContext, server, path: '/library' });
  await expect(noConnection(afterwards)).toBeVisible();
  await expect(afterwards.getByText('Can’t reach the server. Showing what’s on this device.')).toBeVisible();
  await expect(afterwards.getByRole('link', { name: /\d:\d\d/ })).toHaveCount(0);
});

test("the caches contain no user data, and the service worker never answers the server's own routes", async ({
  page,
  server,
}) => {
  const user = await signUp(page);
  await untilSaved(page);
  await startTake(page);
  await untilClock(page, 1500);
  await stopTake(page);
  const { id } = await onlyReadyRecording(page);
  await page.goto(`/recordings/${id}`);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('slider', { name: 'Position' }).first()).toHaveAttribute(
    'aria-valuenow',
    /[1-9]/,
  );
  await page.goto('/library');
  await expect(page.getByRole('link', { name: /\d:\d\d/ }).first()).toBeVisible();

  const retained = await page.evaluate(async () => {
    const found: { url: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys())
        found.push({
          url: new URL(request.url).pathname,
          text: (await (await cache.match(request))?.text()) ?? '',
        });
    }
    return found;
  });
  expect(retained.length).toBeGreaterThan(30);
  expect(
    retained
      .map(({ url }) => url)
      .filter(
        (url) =>
          !/^\/(assets\/[\w./-]+|app-shell|app-pictures\/[\w-]+|icon\.svg|manifest\.webmanifest)$/.test(url),
      ),
  ).toEqual([]);
  expect(
    retained.filter(({ text }) => text.includes(user.email) || text.includes(id)).map(({ url }) => url),
  ).toEqual([]);

  const reference = await page.goto('/api/docs');
  expect([reference?.status(), reference?.fromServiceWorker()]).toEqual([200, false]);
  await page.goto('/');
  await server.end('SIGKILL');
  const outcomes = await page.evaluate(() =>
    Promise.all(
      ['/api/recordings', '/auth/session', '/healthz'].map((path) =>
        fetch(path).then(
          () => 'answered',
          () => 'nothing',
        ),
      ),
    ),
  );
  expect(outcomes).toEqual(['nothing', 'nothing', 'nothing']);
});

test('Record works on a first visit whose network fails before the service worker is installed', async ({
  page,
  browserContext,
}) => {
  const second = await browserContext.newPage();
  await second.addInitScript(() => {
    Object.defineProperty(navigator, 'serviceWorker', { value: undefined });
  });
  await second.goto('/');
  await second.waitForLoadState('networkidle');
  await page.close();
  await browserContext.setOffline(true);
  await startTake(second);
  await untilClock(second, 1500);
  await stopTake(second);
  await expect(second.getByText(/complete and saved on this device only/)).toBeVisible();
});

test('the app can be installed: a manifest, icons of the declared sizes, and Record as a shortcut', async ({
  page,
}) => {
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = JSON.parse(data ?? '{}') as {
    icons: { src: string; sizes: string; type: string }[];
    shortcuts: { url: string }[];
  };
  expect(manifest.shortcuts[0]?.url).toBe('/');
  const pictures = manifest.icons.filter(({ type }) => type === 'image/png');
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (source) => {
          const { width, height } = await createImageBitmap(await (await fetch(source)).blob());
          return `${width}x${height}`;
        }),
      ),
    pictures.map(({ src }) => src),
  );
  expect(sizes).toEqual(pictures.map((picture) => picture.sizes));
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual(
    [],
  );
});

test('signing in works from a page served from the cache', async ({ page, browserContext }) => {
  await untilSaved(page);
  const next = await browserContext.newPage();
  const reply = await next.goto('/sign-up');
  expect(reply?.fromServiceWorker()).toBe(true);
  await submitAccount(
    next,
    { email: 'cached@example.org', password: 'a quiet harbour at dusk 7' },
    'Create account',
  );
  await expect.poll(() => isSignedIn(next)).toBe(true);
});
