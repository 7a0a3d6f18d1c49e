import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';

/** Stored beside the screenshots: the text rendering of the machine on which they were accepted. */
const retainedFile = join(import.meta.dirname, 'pictures', 'fingerprint.txt');

const words = [
  ['en', 'Recording, 12:30 – “fjord” Qg&'],
  ['ar', 'تسجيل ١٢٣ مقابلة لغة'],
  ['ja', '録音を始める 会議 直ちに ガギ'],
] as const;

/**
 * A hash of fixed texts in Latin, Arabic and Japanese as this page renders them in the app's fonts. The page must
 * be one of the app's.
 */
async function fingerprintOf(page: Page): Promise<string> {
  return page.evaluate(async (samples) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 640, height: 64 * samples.length });
    document.body.append(canvas);
    const pen = canvas.getContext('2d', { willReadFrequently: true });
    if (!pen) throw new Error('no canvas context');
    for (const [line, [language, text]] of samples.entries()) {
      // The canvas's language selects the font stack and the variants of characters.
      canvas.lang = language;
      const { fontFamily } = getComputedStyle(canvas);
      pen.font = `400 15px ${fontFamily}`;
      pen.fillText(text, 320, 64 * line + 40);
      pen.font = `650 26px ${fontFamily}`;
      pen.fillText(text, 4, 64 * line + 40, 310);
    }
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    canvas.remove();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }, words);
}

/** Whether this machine renders text as the one on which the screenshots were accepted. */
export async function hasFontsOfPictures(page: Page): Promise<boolean> {
  return (
    existsSync(retainedFile) && readFileSync(retainedFile, 'utf8').trim() === (await fingerprintOf(page))
  );
}

/** Declares this machine's text rendering to be that of the screenshots. */
export async function keepFingerprint(page: Page): Promise<void> {
  mkdirSync(dirname(retainedFile), { recursive: true });
  writeFileSync(retainedFile, `${await fingerprintOf(page)}\n`);
}
