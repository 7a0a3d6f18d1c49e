import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import { signUp } from './steps.ts';

const program = /\/assets\/main-[\w-]+\.js/;
const firstFile = /\/assets\/index-[\w-]+\.js/;
const picture = (page: Page) => page.locator('[data-prerendered]');
/** Waits for a frame, because laid-out content is not necessarily painted. */
const untilPainted = (page: Page) =>
  page.evaluate(
    async () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => {
          resolve();
        });
      }),
  );

/** Holds a file back until the returned function is called. */
async function hold(page: Page, file: RegExp): Promise<() => void> {
  let letThrough = () => {};
  const mayPass = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(file, async (route) => {
    await mayPass;
    await route.continue();
  });
  return letThrough;
}

const holdProgram = (page: Page) => hold(page, program);

test('the page is visible before the app loads, and an early press on Record starts the take once it has', async ({
  page,
}) => {
  const letThrough = await holdProgram(page);
  await page.goto('/', { waitUntil: 'commit' });
  const record = picture(page).locator('button[aria-label="Record"]');
  await expect(record).toBeVisible();
  await expect(picture(page)).toHaveAttribute('inert');
  await untilPainted(page);
  const box = await record.boundingBox();
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  letThrough();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  await expect(picture(page)).toHaveCount(0);
});

test('a key pressed before the app has loaded takes effect as soon as it has', async ({ page }) => {
  const letThrough = await holdProgram(page);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(picture(page).locator('button[aria-label="Record"]')).toBeVisible();
  await untilPainted(page);
  await page.keyboard.press('r');
  letThrough();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
});

test('the page is not painted before its script records early presses', async ({ page }) => {
  const letThrough = await hold(page, firstFile);
  await page.goto('/', { waitUntil: 'commit' });
  // Everything that a paint needs has loaded, except that file.
  await page.waitForFunction(
    () =>
      document.readyState === 'interactive' &&
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(
        ({ sheet }) => sheet !== null,
      ),
    undefined,
    { polling: 50 },
  );
  letThrough();
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
  const [paintedAtMs, rememberedAtMs] = await page.evaluate(
    (pattern) =>
      [
        performance.getEntriesByType('paint')[0]?.startTime ?? NaN,
        performance
          .getEntriesByType('resource')
          .filter((entry) => entry instanceof PerformanceResourceTiming)
          .find(({ name }) => new RegExp(pattern).test(name))?.responseEnd ?? NaN,
      ] as const,
    firstFile.source,
  );
  expect(paintedAtMs).toBeGreaterThan(rememberedAtMs);
});

test('an early press finds its control even where another one has taken its place', async ({ page }) => {
  const letThrough = await holdProgram(page);
  await page.goto('/sign-in', { waitUntil: 'commit' });
  const createAccount = picture(page).locator('a', { hasText: 'Create account' });
  await expect(createAccount).toBeVisible();
  await untilPainted(page);
  const before = await createAccount.boundingBox();
  await page.mouse.click(
    (before?.x ?? 0) + (before?.width ?? 0) / 2,
    (before?.y ?? 0) + (before?.height ?? 0) / 2,
  );
  letThrough();
  await expect(page).toHaveURL(/\/sign-up/);
  await expect(page.getByRole('heading', { name: 'Create account', level: 1 })).toBeVisible();
});

test('a page looks the same before and after the app has loaded', async ({ page }) => {
  const letThrough = await holdProgram(page);
  await page.goto('/?lang=ar', { waitUntil: 'commit' });
  await expect(picture(page).locator('h1')).toHaveText('تسجيل');
  await untilPainted(page);
  const placesIn = async (root: string) =>
    page.locator(`${root} main :is(h1, button, input, canvas)`).evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.tagName, Math.round(x), Math.round(y), Math.round(width), Math.round(height)].join(
          ' ',
        );
      }),
    );
  const before = await placesIn('[data-prerendered]');
  letThrough();
  await expect(picture(page)).toHaveCount(0);
  expect(before.length).toBeGreaterThan(4);
  // The waveform's canvas comes with a lazy chunk; its space is reserved from the start.
  const withoutCanvas = (places: string[]) => places.filter((place) => !place.startsWith('CANVAS'));
  expect(await placesIn('#root')).toEqual(expect.arrayContaining(withoutCanvas(before)));
  await expect.poll(() => placesIn('#root')).toEqual(expect.arrayContaining(before));
});

test('presses nothing for a user who pressed nothing', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Library' }).first().click();
  await expect(page).toHaveURL(/\/library$/);
  await expect(page.getByRole('heading', { name: 'Library', level: 1 })).toBeVisible();
});

test("reports in the page's language that the app failed to load, with a button to try again", async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED|Failed to fetch dynamically imported module/);
  await page.route(program, async (route) => route.abort());
  await page.goto('/library?lang=de', { waitUntil: 'commit' });
  await expect(page.getByRole('alert').getByRole('heading')).toHaveText(
    'Auf dieser Seite ist etwas schiefgegangen',
  );
  await page.unroute(program);
  await page.getByRole('alert').getByRole('button', { name: 'Erneut versuchen' }).click();
  await expect(page.getByRole('heading', { name: 'Bibliothek', level: 1 })).toBeVisible();
});

test('reloads a page that stalls because its service worker changed while the app was loading', async ({
  page,
}) => {
  await holdProgram(page);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(picture(page)).toBeVisible();
  await page.unroute(program);
  await page.evaluate(() => {
    navigator.serviceWorker.dispatchEvent(new Event('controllerchange'));
  });
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeEnabled({ timeout: 20_000 });
  await expect(picture(page)).toHaveCount(0);
});

test('each prerendered page is painted with its own styles', async ({ page }) => {
  await holdProgram(page);
  await page.goto('/recordings/0', { waitUntil: 'commit' });
  const parts = picture(page).locator('main > div > span:not(:has(output))');
  await expect(parts.first()).toBeVisible();
  const boxes = await parts.evaluateAll((elements) =>
    elements.map((element) => element.getBoundingClientRect().height),
  );
  expect(boxes.length).toBeGreaterThan(1);
  expect(Math.min(...boxes)).toBeGreaterThan(10);
});

test('hides "No account needed" from signed-in users, also if the session is unknown, and shows it to others', async ({
  page,
  server,
  browserContext,
  consoleGuard,
}) => {
  consoleGuard.allow(/ERR_FAILED/);
  const hint = page.getByText('No account needed');
  await signUp(page);
  const letThrough = await holdProgram(page);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(picture(page).locator('h1')).toBeAttached();
  await expect(hint).toBeAttached();
  await expect(hint).toBeHidden();
  letThrough();
  await expect(hint).toHaveCount(0);

  await browserContext.route(`${server.url}/auth/session`, async (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
  await expect(hint).toHaveCount(0);

  await page.evaluate(() => {
    localStorage.clear();
  });
  await browserContext.clearCookies();
  await page.goto('/');
  await expect(hint).toBeVisible();
});
