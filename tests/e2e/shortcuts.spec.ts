import type { Page } from '@playwright/test';
import { expect, sharedTest as test } from './earshot-test.ts';
import { untilClock } from './steps.ts';

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const recordButton = (page: Page) => page.getByRole('button', { name: 'Record', exact: true });

test('the sheet lists every shortcut, and its switch turns the one-letter keys off', async ({ page }) => {
  await expect(recordButton(page)).toHaveAttribute('data-tooltip', 'Record (R)');
  await page.locator('body').press('?');
  await expect(sheet(page).getByRole('listitem').filter({ hasText: 'Pause or resume' })).toHaveText(
    'Pause or resumeP',
  );
  await expect(sheet(page).getByRole('listitem').filter({ hasText: 'Zoom in or out' })).toHaveText(
    'Zoom in or out+−',
  );
  await sheet(page).getByRole('switch', { name: 'Keyboard shortcuts' }).press('Space');
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await expect(recordButton(page)).toHaveAttribute('data-tooltip', 'Record');
  await page.locator('body').press('r');
  await page.locator('body').press('?');
  await expect(sheet(page)).toHaveCount(0);
  await expect(recordButton(page)).toBeVisible();

  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await sheet(page).getByRole('switch', { name: 'Keyboard shortcuts' }).press('Space');
  await page.keyboard.press('Escape');
  await page.locator('body').press('r');
  await untilClock(page, 500);
  await page.locator('body').press('p');
  await expect(page.getByRole('button', { name: 'Resume' })).toHaveAttribute('data-tooltip', 'Resume (P)');
  await page.locator('body').press('p');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
});

test('says once that the default shortcuts replaced those that a user chose in an earlier version', async ({
  page,
}) => {
  const notice = page.getByText('Keyboard shortcuts can no longer be changed.');
  await expect(recordButton(page)).toBeVisible();
  await page.evaluate(() => localStorage.setItem('keys', '{"recorder.record":"g","recorder.stop":"r"}'));
  await page.reload();
  await expect(notice).toBeVisible();
  await page.locator('body').press('r');
  await untilClock(page, 500);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.reload();
  // The notice would come with the mini player and the import tray.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('keys'))).toBeNull();
  await expect(notice).toHaveCount(0);
});

test.describe('in a language of another script', () => {
  test.use({ browserOptions: { locale: 'ar' } });
  test('a letter of that script triggers the shortcut of its physical key', async ({ page }) => {
    await expect(page.locator('#root main')).toBeVisible();
    await page
      .locator('body')
      .evaluate((element) =>
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ق', code: 'KeyR', bubbles: true, cancelable: true }),
        ),
      );
    await untilClock(page, 500);
  });
});
