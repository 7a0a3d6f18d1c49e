import { expect, test } from './earshot-test.ts';
import { recordAndOpen } from './player-steps.ts';
import { listed, startTake, stopTake, untilClock } from './steps.ts';

test('a recording that waits is played when the one before it ends, and the screen turns to it', async ({ page }) => {
  const first = await recordAndOpen(page, 3000);
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  await startTake(page);
  await untilClock(page, 2500);
  await stopTake(page);
  await expect.poll(async () => (await listed(page)).map(({ state }) => state)).toEqual(['ready', 'ready']);
  const second = (await listed(page)).find(({ id }) => id !== first);
  if (!second) throw new Error('only one recording is listed');
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page.getByRole('listitem').or(page.getByRole('row')).filter({ has: page.locator(`a[href$="${second.id}"]`) }).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Play next' }).click();
  await page.locator(`a[href$="${first}"]`).first().click();
  await expect(page.getByRole('button', { name: 'Up next' })).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${second.id}$`), { timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Up next' })).toHaveCount(0);
});
