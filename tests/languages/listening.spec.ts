import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/earshot-test.ts';
import { asListener, callAs, shareSpeech } from '#tests/e2e/listening-steps.ts';
import { changeDatabase } from '#tests/e2e/steps.ts';
import { cutOffText } from './cut-off-text.ts';
import { everyLanguage } from './in-every-language.ts';

/** Opens an address in every language at 320 pixels, in two sizes of text, and reports what is cut off. */
async function cutOffIn(page: Page, url: string): Promise<string[]> {
  const found: string[] = [];
  for (const tag of everyLanguage) {
    await page.goto(`${url}?lang=${tag}`);
    await expect(page.locator('html')).toHaveAttribute('lang', tag);
    for (const size of ['100%', '200%']) {
      await page.evaluate((fontSize) => {
        document.documentElement.style.fontSize = fontSize;
      }, size);
      for (const cut of await cutOffText(page)) found.push(`${tag}, ${size}: ${cut}`);
    }
  }
  return found;
}

test('no text of the pages of links is cut off in any language', async ({ page, server, consoleGuard }) => {
  consoleGuard.allow(/Failed to load resource.*4\d\d/);
  const { id, revision, url } = await shareSpeech(page, {
    title: 'Ask not what your country can do for you',
    download: 'formats',
  });
  changeDatabase(server.dataDir, 'update shares set max_listens = 5');
  await asListener({ server, consoleGuard }, { viewport: { width: 320, height: 640 } }, async (listener) => {
    expect.soft(await cutOffIn(listener, url), 'listening page').toEqual([]);
    await callAs(page, `PATCH /api/shares/${id}`, { revision, password: 'ferry lantern oats' });
    expect.soft(await cutOffIn(listener, url), 'password').toEqual([]);
    await callAs(page, `DELETE /api/shares/${id}`);
    expect.soft(await cutOffIn(listener, url), 'ended').toEqual([]);
  });
});
