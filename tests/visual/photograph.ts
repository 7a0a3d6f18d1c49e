import { type Page, test } from '@playwright/test';
import { untilTransitionsEnd } from '#tests/accessibility/views.ts';
import { expect } from '#tests/e2e/earshot-test.ts';
import { showLanguage } from '#tests/languages/in-every-language.ts';
import { hasFontsOfPictures, keepFingerprint } from './font-fingerprint.ts';

export interface Views {
  languages?: readonly string[];
  appearances?: readonly ('light' | 'dark')[];
}

const otherFonts =
  'the fonts of this machine are not those of the pictures; accept them here with npm run test:visual -- --update-snapshots';

/**
 * Whether every visible canvas has content. Reads from a copy, because reading a canvas changes how the browser
 * stores it.
 */
const isDrawn = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('main canvas')].every((canvas) => {
      if (canvas.clientWidth === 0) return true;
      if (canvas.width === 0 || canvas.height === 0) return false;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {
        willReadFrequently: true,
      });
      copy?.drawImage(canvas, 0, 0);
      return copy?.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0) ?? false;
    }),
  );

/** Waits until nothing moves, hovers or loads, with the page scrolled to its top. */
async function still(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    scrollTo(0, 0);
    await document.fonts.ready;
  });
  await expect.poll(() => isDrawn(page), 'the waveforms are drawn').toBe(true);
  await untilTransitionsEnd(page);
}

const isAccepting = (): boolean => ['all', 'changed'].includes(test.info().config.updateSnapshots);

/**
 * Compares the current screen with its screenshots `{name}-{language}-{appearance}.png` in the given languages and
 * appearances. On a machine with other fonts it only takes them: the test is skipped after its last screenshot,
 * and fails if something breaks before.
 */
export async function photograph(
  page: Page,
  name: string,
  { languages = ['en', 'ar', 'ja'], appearances = ['light', 'dark'] }: Views = {},
): Promise<void> {
  if (isAccepting()) await keepFingerprint(page);
  const isCompared = await hasFontsOfPictures(page);
  for (const language of languages) {
    await showLanguage(page, language);
    for (const colorScheme of appearances) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await still(page);
      if (isCompared) await expect.soft(page).toHaveScreenshot(`${name}-${language}-${colorScheme}.png`);
      else await page.screenshot({ animations: 'disabled', caret: 'hide' });
    }
  }
  test.skip(!isCompared, otherFonts);
}
