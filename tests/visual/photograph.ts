import { type Page, test } from '@playwright/test';
import { settled } from '#tests/accessibility/views.ts';
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
 * Whether every canvas that is in sight has something drawn on it; read from a copy, for reading changes how
 * a browser keeps a canvas.
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

/** Nothing moves, hovers, loads or waits any more, and the page stands at its top. */
async function still(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(async () => {
    scrollTo(0, 0);
    await document.fonts.ready;
  });
  await expect.poll(() => isDrawn(page), 'the waves are drawn').toBe(true);
  await settled(page);
}

const isAccepting = (): boolean => ['all', 'changed'].includes(test.info().config.updateSnapshots);

/**
 * Holds the screen as it stands against its pictures `{name}-{language}-{appearance}.png`, in every language
 * and appearance asked for. On a machine with other fonts it is only looked at: the test is skipped behind
 * its last picture, and what breaks before fails it.
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
