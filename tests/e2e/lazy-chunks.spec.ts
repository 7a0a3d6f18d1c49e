import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';

test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(/net::ERR_|Failed to load resource|Failed to fetch dynamically imported module/);
});

const openSettings = async (page: Page) => {
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
};
const boxes = (page: Page) =>
  page
    .getByRole('main')
    .locator('*')
    .evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return `${element.tagName} ${x},${y} ${width}×${height}`;
      }),
    );

for (const kind of ['css', 'js'])
  test(`a page opens as usual although its .${kind} file first failed to load`, async ({ page }) => {
    await openSettings(page);
    const usual = await boxes(page);
    expect(usual.length).toBeGreaterThan(10);
    await page.goto('/');

    let failuresLeft = Infinity;
    await page.route(new RegExp(`/assets/settings-page-[^/]*\\.${kind}$`), async (route) => {
      failuresLeft -= 1;
      await (failuresLeft < 0 ? route.continue() : route.abort());
    });
    await page.reload();
    // More requests than one import makes.
    failuresLeft = 3;
    await openSettings(page);
    await expect.poll(() => boxes(page)).toEqual(usual);
    expect(failuresLeft).toBeLessThan(0);
  });

test('a page that is opened while the server restarts appears once the server is back', async ({
  page,
  server,
}) => {
  const stopped = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(/\/assets\/settings-page-/, async (route) => {
    requests += 1;
    // The request waits, as in a page that had no time to prefetch the chunk.
    await stopped.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await expect.poll(() => requests).toBeGreaterThan(0);
  await server.end('SIGTERM');
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('settings-page'));
  stopped.resolve();
  await failed;
  await server.start();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByText('Something went wrong on this page')).toHaveCount(0);
});

/** Fails every request for one file until `end` is called. Longer than the page retries one import. */
async function failRequests(page: Page, file: RegExp): Promise<{ attempts: () => number; end: () => void }> {
  let isFailing = true;
  let attempts = 0;
  await page.route(file, async (route) => {
    attempts += 1;
    await (isFailing ? route.abort() : route.continue());
  });
  return {
    attempts: () => attempts,
    end: () => {
      isFailing = false;
    },
  };
}

const recordButton = (page: Page) => page.getByRole('button', { name: 'Record', exact: true });
const afterAllAttempts = { timeout: 20_000 };

test('a sheet that cannot be loaded says so, and the next press opens it', async ({ page }) => {
  const requests = await failRequests(page, /\/assets\/shortcut-sheet-[^/]*\.js$/);
  await page.reload();
  const button = page.getByRole('button', { name: 'Keyboard shortcuts' });
  await button.click();
  await expect(page.getByText('Something went wrong. Try again.')).toBeVisible(afterAllAttempts);
  await expect(recordButton(page)).toBeVisible();

  requests.end();
  await button.click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

for (const { name, opens } of [
  { name: /^Language/, opens: 'dialog' },
  { name: 'Appearance', opens: 'menu' },
] as const)
  test(`the screen stays as it is when the ${opens} of a button of the frame cannot be loaded`, async ({
    page,
  }) => {
    const requests = await failRequests(page, /\/assets\/overlays-[^/]*\.js$/);
    await page.reload();
    const button = page.getByRole('button', { name });
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await expect(button).toHaveAttribute('aria-expanded', 'false', afterAllAttempts);
    await expect(recordButton(page)).toBeVisible();

    requests.end();
    await button.click();
    await expect(page.getByRole(opens)).toBeVisible();
  });

test('the recorder stays when its other parts cannot be loaded, and they appear later', async ({ page }) => {
  const requests = await failRequests(page, /\/assets\/take-[^/]*\.js$/);
  await page.clock.install();
  await page.reload();
  await expect(recordButton(page)).toBeVisible();
  // By then every load has failed, and some were begun again.
  await expect(async () => {
    await page.clock.fastForward('00:05');
    expect(requests.attempts()).toBeGreaterThan(25);
  }).toPass();
  await expect(recordButton(page)).toBeVisible();
  await expect(page.getByText('Something went wrong on this page')).toHaveCount(0);

  requests.end();
  await expect(async () => {
    await page.clock.fastForward('00:10');
    await expect(page.getByRole('main').locator('canvas')).toBeVisible({ timeout: 500 });
  }).toPass();
  await recordButton(page).click();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
});

test('a menu whose code has been loaded opens with the focus on its first item', async ({ page }) => {
  const menu = page.getByRole('menu', { name: 'Appearance' });
  for (let opened = 0; opened < 2; opened += 1) {
    await page.getByRole('button', { name: 'Appearance', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(menu.getByRole('menuitemradio').or(menu.getByRole('menuitem')).first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  }
});
