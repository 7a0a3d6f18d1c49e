import type { Page } from '@playwright/test';
import { expect } from '#tests/e2e/earshot-test.ts';

/** The source, one that grows, one from right to left, one without spaces, and the two made for tests. */
const languages = ['en', 'de', 'ar', 'ja', 'en-XA', 'ar-XB'] as const;

/** How a system may want its screens. */
const appearances = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: 'light', forcedColors: 'active' },
} as const;

/**
 * Shows the page in another language where it stands, as a choice in another tab would: dialogs stay open, a
 * take goes on.
 */
export async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((value) => {
    const channel = new BroadcastChannel('preferences');
    channel.postMessage({ kind: 'language', value });
    channel.close();
  }, language);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

/**
 * Colours fade from one appearance to the next; waits until they have arrived. Frame by frame: of hundreds of
 * transitions that begin at once, Chromium 156 leaves the promise `finished` of one or another pending for
 * good, though all of them are over.
 */
export async function settled(page: Page): Promise<void> {
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

/** Shows the page in every language and appearance in turn, and ends in English and light. */
export async function inEveryView(
  page: Page,
  look: (view: { language: string; appearance: keyof typeof appearances }) => Promise<void>,
): Promise<void> {
  for (const language of languages) {
    await speak(page, language);
    for (const appearance of ['light', 'dark', 'forced colours'] as const) {
      const { colorScheme, forcedColors } = appearances[appearance];
      await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
      await page.waitForFunction(
        ([scheme, forced]) =>
          matchMedia(`(prefers-color-scheme: ${scheme}) and (forced-colors: ${forced})`).matches,
        [colorScheme, forcedColors] as const,
      );
      await settled(page);
      await look({ language, appearance });
    }
  }
  await page.emulateMedia({ ...appearances.light, reducedMotion: 'reduce' });
  await speak(page, 'en');
}
