import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './earshot-test.ts';
import { clockMs, onlyReadyRecording, signUp, startTake, stopTake, untilClock } from './steps.ts';

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
  expect(recording.gaps).toEqual([]);
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
    test('every screen is accessible and fits 320 pixels', async ({ page, consoleGuard }) => {
      consoleGuard.allow(/401|404/);
      for (const path of screens) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(path);
        await expect(page.getByRole('main')).toBeVisible();
        await expect(page.locator('h1').first()).toBeAttached();
        const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
        expect(violations.map((violation) => `${path} ${violation.id}: ${violation.nodes.map((node) => node.html).join(' | ')}`)).toEqual([]);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await overflow(page), `${path} at 320 px`).toBeLessThanOrEqual(0);
      }
    });
  });
}

test('a recording is made, found and played by keyboard alone', async ({ page }) => {
  await signUp(page);
  await page.locator('body').press('r');
  await untilClock(page, 1500);
  await page.keyboard.press('m');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await stop.focus();
  await page.keyboard.press('Enter');
  await onlyReadyRecording(page);
  await page.getByRole('link', { name: 'Library', exact: true }).first().focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('link', { name: /Recording, / }).first();
  await row.waitFor();
  await row.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('slider', { name: 'Position' }).first()).toBeVisible();
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: 'Pause', exact: true }).first()).toBeVisible();
});
