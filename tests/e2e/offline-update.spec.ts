import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page, Route } from '@playwright/test';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { copyBuild, renewBuild } from '#tests/support/other-build.ts';
import { expect, test as base } from './earshot-test.ts';
import {
  isSamePage,
  markPage,
  onlyReadyRecording,
  signUp,
  startTake,
  stopTake,
  untilClock,
  untilSaved,
} from './steps.ts';

interface Fixtures {
  renew: () => Promise<void>;
}

/** Deletes what the server stored of its builds, as it does 30 days after their last use. */
function forgetStoredBuilds(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'earshot.db'));
  database.exec('delete from web_builds');
  database.close();
}

/** A server whose build can be replaced by another, as a product update does. */
const test = base.extend<Fixtures & { build: string }>({
  build: async ({}, use) => {
    const { directory, remove } = copyBuild();
    await use(directory);
    remove();
  },
  server: async ({ build }, use) => {
    const server = await EarshotServer.launch({ WEB_DIRECTORY: build }, undefined, {
      script: new URL('../support/serve-build.ts', import.meta.url).pathname,
    });
    await use(server);
    await server.dispose();
  },
  renew: async ({ build, server }, use) => {
    await use(async () => {
      await server.end('SIGTERM');
      renewBuild(build);
      await server.start();
    });
  },
});

test.use({ browserOptions: { serviceWorkers: 'allow' } });
test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(/net::ERR_|Failed to load resource/);
});

/**
 * Checks for an update, as the browser does when it opens a page and the app does when the server is reachable
 * again.
 */
const lookForUpdate = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
const offer = (page: Page) => page.getByText('A new version is ready');
const reloadButton = (page: Page) => page.getByRole('button', { name: 'Reload', exact: true });
const buildOf = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll<HTMLScriptElement>('head > script[src]')].at(-1)?.src);
const waitingState = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state);
/**
 * Starts a request through the service worker whose response does not arrive until `release` is called. No other
 * service worker takes over before this one is idle.
 */
async function holdServiceWorker(page: Page): Promise<{ release: () => Promise<void> }> {
  const held: Route[] = [];
  await page.context().route('**/assets/arrives-late.js', (route) => {
    held.push(route);
  });
  await page.evaluate(() => {
    void fetch('/assets/arrives-late.js').catch(() => undefined);
  });
  await expect.poll(() => held.length).toBe(1);
  return {
    release: async () => {
      await Promise.all(held.map((route) => route.abort()));
    },
  };
}
/**
 * Waits until the page has fetched nothing for 1.5 s. Playwright's `networkidle` sometimes never ends when a route
 * aborts a request.
 */
const untilQuiet = (page: Page) =>
  page.waitForFunction(() => {
    const last = performance
      .getEntriesByType('resource')
      .reduce((latest, { startTime, duration }) => Math.max(latest, startTime + duration), 0);
    return document.readyState === 'complete' && performance.now() - last > 1500;
  });

test('offers a new version without installing it: Later postpones it, Reload opens it', async ({
  page,
  renew,
}) => {
  await untilSaved(page);
  const before = await buildOf(page);
  await markPage(page);
  await renew();
  await lookForUpdate(page);
  await expect(offer(page)).toBeVisible();
  await page.getByRole('button', { name: 'Later', exact: true }).click();
  await expect(offer(page)).toBeHidden();
  expect(await isSamePage(page)).toBe(true);

  await page.reload();
  expect(await buildOf(page)).toBe(before);
  await reloadButton(page).click();
  await expect.poll(() => buildOf(page).catch(() => before)).not.toBe(before);
  await expect(offer(page)).toBeHidden();
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
});

test('downloads a new version again automatically after an incomplete download', async ({
  page,
  browserContext,
  renew,
}) => {
  await untilSaved(page);
  await renew();
  const precachedScript = /\/assets\/library-page-[^/]+\.js$/;
  await browserContext.route(precachedScript, (route) => route.fulfill({ status: 503 }));
  const end = page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise<ServiceWorker | null | undefined>((resolve) => {
      registration?.addEventListener(
        'updatefound',
        () => {
          resolve(registration.installing);
        },
        { once: true },
      );
    });
    await registration?.update();
    const installing = await found;
    if (installing?.state !== 'redundant')
      await new Promise((resolve) => {
        installing?.addEventListener('statechange', resolve, { once: true });
      });
    return installing?.state;
  });
  expect(await end).toBe('redundant');
  await expect(offer(page)).toHaveCount(0);

  await browserContext.unroute(precachedScript);
  await expect(offer(page)).toBeVisible({ timeout: 45_000 });
  await reloadButton(page).click();
  await expect(offer(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('offers no new version during a take or its upload; chunks of the old version still load', async ({
  page,
  renew,
  server,
}) => {
  await signUp(page);
  await untilSaved(page);
  await startTake(page);
  await markPage(page);
  await renew();
  await lookForUpdate(page);
  await untilClock(page, 3000);
  await expect(offer(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();

  await server.end('SIGTERM');
  await stopTake(page);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
  await expect(offer(page)).toHaveCount(0);
  await server.start();
  await onlyReadyRecording(page);
  await expect(offer(page)).toBeVisible({ timeout: 45_000 });
  expect(await isSamePage(page)).toBe(true);
});

test('Reload opens a new version even when the service worker stays busy, but never during a newer take', async ({
  page,
  renew,
}) => {
  await signUp(page);
  await untilSaved(page);
  const { release } = await holdServiceWorker(page);
  await markPage(page);
  await renew();
  await lookForUpdate(page);
  const before = await buildOf(page);
  await reloadButton(page).click();
  await startTake(page);
  await untilClock(page, 4000);
  expect(await isSamePage(page)).toBe(true);
  await stopTake(page);
  await onlyReadyRecording(page);

  await expect(reloadButton(page)).toBeEnabled();
  expect(await waitingState(page)).toBe('installed');
  await reloadButton(page).click();
  await expect.poll(() => isSamePage(page).catch(() => true)).toBe(false);
  await release();
  // The old service worker stayed busy and served that reload too. Now it is idle and the new one takes over. On a
  // slow machine it may serve one more reload, after which the new version is offered again.
  await expect(async () => {
    await reloadButton(page).click({ timeout: 5000 });
    await expect.poll(() => buildOf(page).catch(() => before)).not.toBe(before);
  }).toPass({ timeout: 75_000 });
  await expect(offer(page)).toBeHidden();
});

test('a take in another tab delays the new version, and the update leaves that tab alone', async ({
  page,
  browserContext,
  renew,
}) => {
  await signUp(page);
  await untilSaved(page);
  const other = await browserContext.newPage();
  await other.goto('/');
  await startTake(page);
  await markPage(page);
  await renew();
  await lookForUpdate(other);
  await expect(offer(other)).toBeVisible();
  await expect(reloadButton(other)).toBeDisabled();
  await expect(
    other.getByText('You can switch to it once all recordings in this browser are complete.'),
  ).toBeVisible();
  await untilClock(page, 2000);
  await page.bringToFront();
  await stopTake(page);
  await onlyReadyRecording(page);

  await expect(reloadButton(other)).toBeEnabled();
  const before = await buildOf(other);
  await reloadButton(other).click();
  await expect.poll(() => buildOf(other).catch(() => before)).not.toBe(before);
  expect(await isSamePage(page)).toBe(true);
  // The old tab continues with the chunks of its own version, although the server no longer has them.
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
});

test.describe('without a service worker', () => {
  test.use({ browserOptions: { serviceWorkers: 'block' } });

  test('a tab that was open before an update still loads the parts that it had not loaded yet', async ({
    page,
    server,
    build,
  }) => {
    // The request waits, as in a page that had no time to prefetch the chunk.
    const update = Promise.withResolvers<void>();
    await page.route(/library-page/, async (route) => {
      await update.promise;
      await route.continue();
    });
    await page.reload();
    await markPage(page);
    const [old = ''] = readdirSync(join(build, 'assets')).filter((name) =>
      /^library-page-.*\.js$/.test(name),
    );
    await server.end('SIGTERM');
    renewBuild(build);
    await server.start();
    expect(existsSync(join(build, 'assets', old))).toBe(false);
    update.resolve();
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
    expect(await isSamePage(page)).toBe(true);
  });

  test('offers a reload when the server no longer has a chunk, but not when the network is down', async ({
    page,
    server,
    build,
    browserContext,
    consoleGuard,
  }) => {
    // Whichever is aborted first, the chunk or its style sheet.
    consoleGuard.allow(/Failed to fetch dynamically imported module|Failed to load .*library-page/);
    // Aborting both simulates a page that had no time to prefetch it.
    await page.route(/library-page/, (route) => route.abort());
    await page.reload();
    await untilQuiet(page);
    await browserContext.setOffline(true);
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    await expect(page.getByText('Something went wrong on this page')).toBeVisible();
    await expect(offer(page)).toHaveCount(0);
    await browserContext.setOffline(false);

    await server.end('SIGTERM');
    forgetStoredBuilds(server.dataDir);
    renewBuild(build);
    await server.start();
    await page.getByRole('link', { name: 'Record', exact: true }).first().click();
    await page.getByRole('link', { name: 'Library', exact: true }).first().click();
    await expect(offer(page)).toBeVisible();
    await page.unroute(/library-page/);
    await reloadButton(page).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
  });
});
