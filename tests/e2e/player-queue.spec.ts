import { cookieHeader } from '#tests/support/cookie-header.ts';
import { storeSpeech } from '#tests/support/stored-speech.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { openSpeech, positionSlider } from './player-steps.ts';

test('plays a queued recording when the one before it ends, and shows it on the screen', async ({
  page,
  browserContext,
  server,
}) => {
  const { id: first } = await openSpeech(page);
  const second = await storeSpeech(server.url, await cookieHeader(browserContext, server.url));
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page
    .getByRole('listitem')
    .or(page.getByRole('row'))
    .filter({ has: page.locator(`a[href$="${second}"]`) })
    .getByRole('button', { name: 'More actions' })
    .click();
  await page.getByRole('menuitem', { name: 'Play next' }).click();
  await page.locator(`a[href$="${first}"]`).first().click();
  await expect(page.getByRole('button', { name: 'Up next' })).toBeVisible();
  await positionSlider(page).focus();
  await page.keyboard.press('9');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${second}$`), { timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Up next' })).toHaveCount(0);
});
