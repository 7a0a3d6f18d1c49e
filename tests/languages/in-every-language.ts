import type { Page } from '@playwright/test';
import { locales } from '#contract/locales.ts';
import { expect } from '#tests/e2e/earshot-test.ts';

/**
 * Every language that a user can choose, and the two pseudo-locales: one is half again as long, one right-to-left.
 */
export const everyLanguage: readonly string[] = [...locales.map(({ tag }) => tag), 'en-XA', 'ar-XB'];

/**
 * Switches the page's language in place, as a choice in another tab does. Resolves when the new language is
 * rendered and laid out.
 */
export async function showLanguage(page: Page, tag: string): Promise<void> {
  await page.evaluate(async (value) => {
    const root = document.documentElement;
    if (root.lang !== value) {
      const shown = new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (root.lang !== value) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(root, { attributeFilter: ['lang'] });
      });
      const otherTab = new BroadcastChannel('preferences');
      otherTab.postMessage({ kind: 'language', value });
      otherTab.close();
      await shown;
    }
    // React renders in the first frame, and resize observers have run in the second.
    for (let frame = 0; frame < 2; frame += 1)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
  }, tag);
}

/** Chooses a language in the picker by its autonym. The focus then returns to the picker's button. */
export async function chooseInPicker(page: Page, tag: string): Promise<void> {
  const autonym = locales.find((locale) => locale.tag === tag)?.autonym ?? tag;
  await page.locator('button[aria-haspopup="dialog"]:has(bdi[lang])').click();
  await page
    .getByRole('option')
    .filter({ has: page.locator(`span[lang="${tag}"]`, { hasText: autonym }) })
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', tag);
}
