import type { Locator, Page } from '@playwright/test';
import { makeWav } from '#tests/support/made-wav.ts';
import { expect, sharedTest as test } from './earshot-test.ts';
import { signUp, startTake, stopTake } from './steps.ts';

const tray = (page: Page): Locator => page.getByRole('region', { name: 'Imports' });
const chip = (page: Page): Locator => tray(page).getByRole('button', { expanded: false });
const wav = (seed: number) => ({
  name: `Walk ${seed}.wav`,
  mimeType: 'audio/wav',
  buffer: makeWav({ seconds: 1, seed }),
});
const empty = { name: 'nothing.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(0) };

async function choose(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await page.locator('input[data-import=files]').setInputFiles(files);
}

/** How many square pixels of an element the imports list covers. */
async function coveredPx(page: Page, element: Locator): Promise<number> {
  const [over, under] = await Promise.all([tray(page).boundingBox(), element.boundingBox()]);
  if (!over || !under) throw new Error('the imports list or the element is not on the screen');
  const sharedWidth = Math.min(over.x + over.width, under.x + under.width) - Math.max(over.x, under.x);
  const sharedHeight = Math.min(over.y + over.height, under.y + under.height) - Math.max(over.y, under.y);
  return Math.max(0, sharedWidth) * Math.max(0, sharedHeight);
}

test('the imports list counts successes and failures; after Close, a badge on Import files shows failures', async ({
  page,
}) => {
  await signUp(page);
  await choose(page, [wav(1), wav(2), empty]);
  await expect(tray(page).getByRole('heading')).toHaveText('2 imported, 1 failed', { timeout: 60_000 });
  await expect(tray(page)).not.toContainText('keep this page open', { ignoreCase: true });
  await tray(page).getByRole('button', { name: 'Close imports' }).click();
  await expect(tray(page)).toHaveCount(0);
  const button = page.getByRole('button', { name: 'Import files, 1 import needs attention' });
  await expect(button).toContainText('1');

  await choose(page, [wav(2)]);
  await expect(tray(page)).toContainText('Already in your library', { timeout: 60_000 });
  await tray(page).getByRole('button', { name: 'Close imports' }).click();
  await expect(tray(page)).toHaveCount(0);
  await page.reload();
  // The rejected file was not stored; the other file's duplicate question was.
  await expect(page.getByRole('button', { name: 'Import files, 1 import needs attention' })).toBeVisible();
  await expect(tray(page)).toHaveCount(0);
  await page.getByRole('button', { name: /^Import files/ }).click();
  await page.getByRole('menuitem', { name: 'Show imports that need attention' }).click();
  await expect(tray(page)).toContainText('Already in your library');
  await tray(page).getByRole('button', { name: 'Skip' }).click();
  await expect(page.getByRole('button', { name: 'Import files', exact: true })).toBeVisible();
});

test("during a take and after it, the imports list is a chip that does not cover the take's safety status", async ({
  page,
}) => {
  await signUp(page);
  await choose(page, [wav(3)]);
  await expect(tray(page).getByRole('listitem')).toContainText('Imported', { timeout: 60_000 });
  await page.getByRole('link', { name: 'Record', exact: true }).first().click();
  await expect(chip(page)).toHaveText('1 file imported');
  await startTake(page);
  const pill = page.getByText(/^Saved on the server/).first();
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(viewport);
    await pill.scrollIntoViewIfNeeded();
    expect(await coveredPx(page, pill), `${viewport.width}`).toBe(0);
    expect((await tray(page).boundingBox())?.height).toBeLessThanOrEqual(46);
  }
  await page.getByRole('link', { name: 'Library', exact: true }).first().click();
  await expect(chip(page)).toBeVisible();
  await chip(page).press('Enter');
  await expect(tray(page).getByRole('button', { name: 'Hide files' })).toBeFocused();
  await tray(page).getByRole('button', { name: 'Hide files' }).press('Enter');
  await expect(chip(page)).toBeFocused();
  await stopTake(page);
});

test('on a phone, the imports list starts as a chip above the tab bar', async ({ page }) => {
  await signUp(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await choose(page, [wav(4), empty]);
  await expect(chip(page)).toHaveText('1 imported, 1 failed', { timeout: 60_000 });
  await expect(tray(page).getByRole('listitem')).toHaveCount(0);
  expect(await coveredPx(page, page.getByRole('navigation').first())).toBe(0);
  await chip(page).click();
  await expect(tray(page).getByRole('listitem')).toHaveCount(2);
});
