import type { Page } from '@playwright/test';
import { expect, sharedTest as test } from './earshot-test.ts';
import {
  clockMs,
  expectWhole,
  isSamePage,
  markPage,
  onlyReadyRecording,
  signUp,
  startTake,
  stopTake,
  untilClock,
} from './steps.ts';

async function chooseLanguage(page: Page, autonym: string): Promise<void> {
  await page
    .locator('button:has(svg)')
    .filter({ hasText: /English|Deutsch|العربية/ })
    .first()
    .click();
  await page
    .getByRole('option', { name: new RegExp(autonym) })
    .or(page.getByRole('menuitemradio', { name: new RegExp(autonym) }))
    .or(page.getByRole('radio', { name: new RegExp(autonym) }))
    .first()
    .click();
}

test(
  'the language changes immediately during a take, without a reload or lost audio',
  { tag: '@core' },
  async ({ page }) => {
    await signUp(page);
    await markPage(page);
    await startTake(page);
    for (const [autonym, lang, dir] of [
      ['Deutsch', 'de', 'ltr'],
      ['العربية', 'ar', 'rtl'],
      ['English', 'en', 'ltr'],
    ] as const) {
      await chooseLanguage(page, autonym);
      await expect(page.locator('html')).toHaveAttribute('lang', lang);
      await expect(page.locator('html')).toHaveAttribute('dir', dir);
      // The take continues in the new language.
      await untilClock(page, (await clockMs(page)) + 400);
    }
    await untilClock(page, 3000);
    expect(await isSamePage(page)).toBe(true);
    await stopTake(page);
    await expectWhole(page, await onlyReadyRecording(page), 3000);
  },
);

const screens = [
  '/',
  '/library',
  '/trash',
  '/settings/audio',
  '/settings/language',
  '/settings/profile',
  '/sign-in',
  '/sign-up',
  '/nowhere',
];

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Opens every screen, and expects nothing to be wider than a window of 320 pixels. */
async function expectEveryScreenFits(page: Page): Promise<void> {
  for (const path of screens) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await expect(page.locator('h1').first()).toBeAttached();
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => overflow(page), { message: `${path} at 320 px` }).toBeLessThanOrEqual(0);
  }
}

// tests/languages finds text that is cut off within a screen, in every language.
test.describe('in German and dark', () => {
  test.use({ browserOptions: { locale: 'de', colorScheme: 'dark' } });
  test('every screen fits 320 pixels in German', async ({ page, consoleGuard }) => {
    consoleGuard.allow(/401|404/);
    await expectEveryScreenFits(page);
  });
});

test.describe('in Arabic and light', () => {
  test.use({ browserOptions: { locale: 'ar', colorScheme: 'light' } });
  test('every screen fits 320 pixels in Arabic', { tag: '@core' }, async ({ page, consoleGuard }) => {
    consoleGuard.allow(/401|404/);
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expectEveryScreenFits(page);
  });
});

test('settings are a list with a page per section on a phone, and show the first section on a wide screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const list = page.getByRole('navigation', { name: 'Settings' });
  await list.getByRole('list', { name: 'App' }).getByRole('link', { name: 'Storage' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeFocused();
  await expect(list).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await expect(list).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(list.getByRole('link', { name: 'Recording' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('main').getByText('Microphone', { exact: true }).first()).toBeVisible();
});
