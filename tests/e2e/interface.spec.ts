import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import { clockMs, gapsOf, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

async function chooseLanguage(page: Page, autonym: string): Promise<void> {
  await page.locator('button:has(svg)').filter({ hasText: /English|Deutsch|العربية/ }).first().click();
  await page.getByRole('option', { name: new RegExp(autonym) }).or(page.getByRole('menuitemradio', { name: new RegExp(autonym) })).or(page.getByRole('radio', { name: new RegExp(autonym) })).first().click();
}

test('the language changes at once, during a take, without a reload and without losing a sound', async ({ page }) => {
  await signUp(page);
  await page.evaluate(() => { Object.assign(globalThis, { notReloaded: true }); });
  await startTake(page);
  const startedAt = Date.now() - await clockMs(page);
  for (const [autonym, lang, dir] of [['Deutsch', 'de', 'ltr'], ['العربية', 'ar', 'rtl'], ['English', 'en', 'ltr']] as const) {
    await chooseLanguage(page, autonym);
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(page.locator('html')).toHaveAttribute('dir', dir);
    await page.waitForTimeout(400);
  }
  await untilClock(page, 3000);
  expect(Math.abs(Date.now() - startedAt - await clockMs(page))).toBeLessThan(600);
  expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true);
  await stopTake(page);
  const recording = await onlyReadyRecording(page);
  expect(gapsOf(recording)).toEqual([]);
});

test('the first byte already speaks the browser\'s language', async ({ browserContext, server }) => {
  const reply = await browserContext.request.get(server.url, { headers: { 'accept-language': 'ar-EG,ar;q=0.9', accept: 'text/html' } });
  expect(await reply.text()).toMatch(/<html[^>]*lang="ar"[^>]*dir="rtl"/);
});

const screens = ['/', '/library', '/trash', '/settings/audio', '/settings/language', '/settings/profile', '/sign-in', '/sign-up', '/nowhere'];

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

for (const [locale, colorScheme] of [['en-GB', 'light'], ['de', 'dark'], ['ar', 'light']] as const) {
  test.describe(`in ${locale}, ${colorScheme}`, () => {
    test.use({ browserOptions: { locale, colorScheme } });
    test('every screen fits 320 pixels', async ({ page, consoleGuard }) => {
      consoleGuard.allow(/401|404/);
      for (const path of screens) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(path);
        await expect(page.getByRole('main')).toBeVisible();
        await expect(page.locator('h1').first()).toBeAttached();
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await overflow(page), `${path} at 320 px`).toBeLessThanOrEqual(0);
      }
    });
  });
}
