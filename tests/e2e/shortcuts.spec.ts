import type { Page } from '@playwright/test';
import { expect, sharedTest as test } from './earshot-test.ts';
import { untilClock } from './steps.ts';

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

async function openSheet(page: Page, key = '?'): Promise<void> {
  await page.locator('body').press(key);
  await expect(sheet(page)).toBeVisible();
}

async function closeSheet(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
}

const keyOf = (page: Page, name: string) =>
  sheet(page).getByRole('button', { name: new RegExp(`^${name}: `) });

test('every single-letter shortcut can be changed, swapped, switched off and reset, and the choice is stored', async ({
  page,
}) => {
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
  await openSheet(page);

  // Escape keeps the shortcut, and the sheet stays open.
  await keyOf(page, 'Record').click();
  await page.keyboard.press('Escape');
  await expect(keyOf(page, 'Record')).toHaveAccessibleName('Record: R');
  await expect(keyOf(page, 'Record')).toBeFocused();

  // A key that cannot be used is reported; the next one is accepted.
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await expect(sheet(page).getByText('You can’t use that key.')).toBeVisible();
  await page.keyboard.press('g');
  await expect(keyOf(page, 'Record')).toHaveAccessibleName('Record: G');

  // A key already in use names its command, and the two can be swapped.
  await page.keyboard.press('Enter');
  await page.keyboard.press('p');
  await expect(sheet(page).getByText('P is already used for: Pause or resume.')).toBeVisible();
  await sheet(page).getByRole('button', { name: 'Swap keys' }).click();
  await expect(keyOf(page, 'Record')).toHaveAccessibleName('Record: P');
  await expect(keyOf(page, 'Pause or resume')).toHaveAccessibleName('Pause or resume: G');

  // A single shortcut can be switched off.
  await keyOf(page, 'Add marker').first().click();
  await page.keyboard.press('Backspace');
  await expect(keyOf(page, 'Add marker').first()).toHaveAccessibleName('Add marker: off');
  await keyOf(page, 'Show keyboard shortcuts').click();
  await page.keyboard.press('h');
  await closeSheet(page);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toHaveAttribute(
    'data-tooltip',
    'Keyboard shortcuts (H)',
  );
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toHaveAttribute(
    'data-tooltip',
    'Record (P)',
  );
  await page.locator('body').press('r');
  await page.locator('body').press('?');
  await expect(sheet(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible();
  await page.locator('body').press('p');
  await untilClock(page, 500);
  await page.locator('body').press('g');
  await expect(page.getByRole('button', { name: 'Resume' })).toHaveAttribute('data-tooltip', 'Resume (G)');

  await openSheet(page, 'h');
  await sheet(page).getByRole('button', { name: 'Reset' }).click();
  await expect(keyOf(page, 'Record')).toHaveAccessibleName('Record: R');
  await expect(sheet(page).getByRole('button', { name: 'Reset' })).toHaveCount(0);
  await closeSheet(page);
  await page.locator('body').press('p');
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
});

test.describe('in a language of another script', () => {
  test.use({ browserOptions: { locale: 'ar' } });
  test('a letter of that script assigns and triggers the shortcut of its physical key', async ({ page }) => {
    const stroke = (target: string) =>
      page
        .locator(target)
        .evaluate((element) =>
          element.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'ل', code: 'KeyG', bubbles: true, cancelable: true }),
          ),
        );
    await page.locator('body').press('?');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'تسجيل: R' }).click();
    await stroke('[role=dialog] input[dir=ltr]:not([role])');
    await expect(dialog.getByRole('button', { name: 'تسجيل: G' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await stroke('body');
    await untilClock(page, 500);
  });
});
