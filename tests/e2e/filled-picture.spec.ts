import type { Page } from '@playwright/test';
import { appHeaders } from '#tests/support/raw-http.ts';
import { expect, test } from './earshot-test.ts';
import { recordAndOpen } from './player-steps.ts';
import { listed, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

const picture = (page: Page) => page.locator('[data-prerendered]');

/** Holds back the app's entry chunk until the returned function is called. */
async function holdProgram(page: Page): Promise<() => Promise<void>> {
  let letThrough = () => {};
  const mayPass = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(/\/assets\/main-[\w-]+\.js/, async (route) => {
    await mayPass;
    await route.continue();
  });
  return async () => {
    letThrough();
    await expect(picture(page)).toHaveCount(0);
  };
}

/** Checks in every frame whether the page shows a text. Counts the frames without it since it first appeared. */
const watchText = (page: Page, text: string) =>
  page.evaluate((wanted) => {
    const seen = { isThere: false, without: 0 };
    const look = () => {
      const isThere = document.querySelector('#root')?.textContent.includes(wanted) === true;
      if (seen.isThere && !isThere) seen.without += 1;
      seen.isThere ||= isThere;
      requestAnimationFrame(look);
    };
    look();
    Object.assign(globalThis, { seen });
  }, text);
/** Records whether the player's marker list is filled when the player first renders. */
const watchMarker = (page: Page) =>
  page.evaluate(() => {
    Object.assign(globalThis, { cameWithMarker: null });
    new MutationObserver((_, observer) => {
      const player = document.querySelector('#root article');
      if (!player) return;
      observer.disconnect();
      Object.assign(globalThis, { cameWithMarker: player.querySelector('ol li') !== null });
    }).observe(document, { subtree: true, childList: true });
  });
const framesWithout = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { seen: { isThere: boolean; without: number } }).seen);

test('prerendered user data is readable before the app loads, keeps its place, and can be pressed meanwhile', async ({
  page,
}) => {
  await recordAndOpen(page, 2000);
  const { id } = await onlyReadyRecording(page);
  const title = 'The first words';
  expect(
    (await page.request.patch(`/api/recordings/${id}`, { headers: appHeaders, data: { title } })).status(),
  ).toBe(200);
  await page.getByRole('button', { name: 'Add marker', exact: true }).first().click();
  await expect(page.getByRole('region', { name: 'Markers' }).getByRole('listitem')).toHaveCount(1);

  await test.step("the library's rows", async () => {
    const letThrough = await holdProgram(page);
    await page.goto('/library', { waitUntil: 'commit' });
    const row = picture(page).locator('li');
    await expect(row).toHaveCount(1);
    await expect(row.locator('a')).toHaveText(title);
    const written = await row.locator('time').textContent();
    const length = await row.locator('[dir=ltr]').textContent();
    const placeOf = async (name: string) =>
      page
        .locator(`${name} li a`)
        .first()
        .evaluate((link) => {
          const { x, y, height } = link.getBoundingClientRect();
          return [x, y, height].map(Math.round);
        });
    const before = await placeOf('[data-prerendered]');
    await watchText(page, title);
    await letThrough();
    await expect(page.getByRole('link', { name: title })).toBeVisible();
    expect(await framesWithout(page)).toEqual({ isThere: true, without: 0 });
    const list = page.getByRole('list', { name: 'Recordings' });
    await expect(list.locator('time').first()).toHaveText(written ?? '');
    await expect(list.getByText(length ?? '', { exact: true })).toBeVisible();
    expect(await placeOf('#root')).toEqual(before);
  });

  await test.step('compact rows, for a user who chose them', async () => {
    await page.evaluate(() => {
      localStorage.setItem('density', 'compact');
    });
    const letThrough = await holdProgram(page);
    await page.goto('/library', { waitUntil: 'commit' });
    await expect(picture(page).locator('li a')).toHaveText(title);
    const before = await picture(page).locator('li').boundingBox();
    // The day's heading is above the row.
    expect(before?.height).toBeLessThan(90);
    await letThrough();
    await expect(page.getByRole('link', { name: title })).toBeVisible();
    expect(await page.locator('#root li').first().boundingBox()).toEqual(before);
  });

  await test.step('a press anywhere on a row opens the recording', async () => {
    const letThrough = await holdProgram(page);
    await page.goto('/library', { waitUntil: 'commit' });
    await expect(picture(page).locator('li a')).toHaveText(title);
    const box = await picture(page).locator('li time').boundingBox();
    await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 5);
    await letThrough();
    await expect(page).toHaveURL(new RegExp(`/recordings/${id}$`));
  });

  await test.step("a recording's title, with its markers", async () => {
    const letThrough = await holdProgram(page);
    const markers = page.waitForResponse(`**/api/recordings/${id}/markers`);
    await page.goto(`/recordings/${id}`, { waitUntil: 'commit' });
    await expect(picture(page).locator('h1')).toHaveText(title);
    await markers;
    const topOf = async (root: string) =>
      Math.round((await page.locator(`${root} h1`).boundingBox())?.y ?? NaN);
    const before = await topOf('[data-prerendered]');
    await watchText(page, title);
    await watchMarker(page);
    await letThrough();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    expect(await framesWithout(page)).toEqual({ isThere: true, without: 0 });
    expect(await topOf('#root')).toBe(before);
    await expect
      .poll(() =>
        page.evaluate(() => (globalThis as unknown as { cameWithMarker: boolean | null }).cameWithMarker),
      )
      .toBe(true);
  });
});

test('an early press on one of two recordings with the same title opens that one', async ({ page }) => {
  await recordAndOpen(page, 2000);
  await page.goto('/');
  await startTake(page);
  await untilClock(page, 1500);
  await stopTake(page);
  await expect
    .poll(async () => (await listed(page)).map(({ state }) => state), { timeout: 60_000 })
    .toEqual(['ready', 'ready']);
  const items = await listed(page);
  for (const { id } of items) {
    const data = { title: 'Standup' };
    const response = await page.request.patch(`/api/recordings/${id}`, { headers: appHeaders, data });
    expect(response.status()).toBe(200);
  }
  const letThrough = await holdProgram(page);
  await page.goto('/library', { waitUntil: 'commit' });
  const links = picture(page).locator('li a');
  await expect(links).toHaveText(['Standup', 'Standup']);
  const pressed = await links.nth(1).getAttribute('href');
  const box = await links.nth(1).boundingBox();
  await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 5);
  await letThrough();
  await expect(page).toHaveURL(new RegExp(`${pressed}$`));
});

test('a prerendered page stays unfilled when the preloaded request fails or the user is signed out', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/401|500/);
  await signUp(page);
  await page.route(/\/api\/recordings\?/, async (route) => route.fulfill({ status: 500, body: '{}' }));
  const letThrough = await holdProgram(page);
  const rejected = page.waitForResponse(/\/api\/recordings\?/);
  await page.goto('/library', { waitUntil: 'commit' });
  await rejected;
  await expect(picture(page).locator('[data-early]')).toBeVisible();
  await expect(picture(page).locator('li')).toHaveCount(0);
  await page.unroute(/\/api\/recordings\?/);
  await letThrough();
  await expect(page.getByText('No recordings yet')).toBeVisible();
});
