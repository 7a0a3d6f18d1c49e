import type { Page } from '@playwright/test';
import { expect } from '#tests/e2e/earshot-test.ts';

/** The source language, one with long words, one right-to-left, one without spaces, and the two pseudo-locales. */
const languages = ['en', 'de', 'ar', 'ja', 'en-XA', 'ar-XB'] as const;

/** The system's appearance preferences. */
const appearances = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active' },
} as const;

/**
 * Switches the page's language in place, as a choice in another tab does: dialogs stay open, and a take continues.
 */
export async function switchLanguage(page: Page, language: string): Promise<void> {
  await page.evaluate((value) => {
    const channel = new BroadcastChannel('preferences');
    channel.postMessage({ kind: 'language', value });
    channel.close();
  }, language);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

/**
 * Waits until colour transitions between appearances have ended. Checks every frame, because Chromium 156 leaves
 * the `finished` promise of some of hundreds of simultaneous transitions pending forever, although all have ended.
 */
export async function untilTransitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    const isFading = () =>
      document
        .getAnimations()
        .some(
          ({ effect, playState }) =>
            playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime)),
        );
    do {
      await frame();
      await frame();
    } while (isFading());
  });
}

/** Shows the page in every language and appearance in turn, and then in English and light. */
export async function inEveryView(
  page: Page,
  look: (view: { language: string; appearance: keyof typeof appearances }) => Promise<void>,
): Promise<void> {
  for (const language of languages) {
    await switchLanguage(page, language);
    for (const appearance of ['light', 'dark', 'forced colours'] as const) {
      const { colorScheme, forcedColors } = appearances[appearance];
      await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
      await page.waitForFunction(
        ([scheme, forced]) =>
          matchMedia(`(prefers-color-scheme: ${scheme}) and (forced-colors: ${forced})`).matches,
        [colorScheme, forcedColors] as const,
      );
      await untilTransitionsEnd(page);
      await look({ language, appearance });
    }
  }
  await page.emulateMedia({ ...appearances.light, reducedMotion: 'reduce' });
  await switchLanguage(page, 'en');
}
