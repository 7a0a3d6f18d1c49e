import type { Page } from '@playwright/test';
import { makeWav } from '#tests/support/made-wav.ts';
import { expect, test } from './earshot-test.ts';
import { signUp } from './steps.ts';

const wav = (seed: number) => ({
  name: `Walk ${seed}.wav`,
  mimeType: 'audio/wav',
  buffer: makeWav({ seconds: 1, seed }),
});
const rejected = {
  name: 'letter.mp3',
  mimeType: 'audio/mpeg',
  buffer: Buffer.from('this is no sound at all'),
};

/** The file names of the imports' copies and peaks in the browser's storage. */
const copies = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('imports', { create: true });
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names;
  });

test('the browser stores no file of imports that succeeded, were skipped as duplicates or were rejected', async ({
  page,
}) => {
  await signUp(page);
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  const tray = page.getByRole('region', { name: 'Imports' });
  const choose = (files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.locator('input[data-import=files]').setInputFiles(files);
  await choose([...Array.from({ length: 12 }, (_, index) => wav(index)), rejected]);
  await expect(tray.getByRole('heading')).toHaveText('12 imported, 1 failed', { timeout: 60_000 });
  await choose([wav(3)]);
  await expect(tray).toContainText('Already in your library', { timeout: 60_000 });
  await tray.getByRole('button', { name: 'Skip' }).click();
  await expect.poll(() => copies(page)).toEqual([]);
});
