import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';

test.beforeEach(({ consoleGuard }) => {
  consoleGuard.allow(/net::ERR_|Failed to load resource/);
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
