import type { Locator, Page } from '@playwright/test';
import { expect, sharedTest as test } from './earshot-test.ts';
import { openSpeech } from './player-steps.ts';
import { signUp } from './steps.ts';

const accountMenu = (page: Page) => page.getByRole('button', { name: /’s account$/ });
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

const expectFocusInside = (overlay: Locator): Promise<void> =>
  expect.poll(() => overlay.evaluate((element) => element.contains(document.activeElement))).toBe(true);

/** Opens and closes an overlay by mouse, so that its code is loaded, and leaves the focus on its button. */
async function tryOut(button: Locator, overlay: Locator): Promise<void> {
  await button.click();
  await expectFocusInside(overlay);
  await button.page().keyboard.press('Escape');
  await expect(overlay).toHaveCount(0);
  await expect(button).toBeFocused();
}

/** Makes every transition outlast the test, so that nothing that waits for its end happens. */
const neverEndTransitions = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync('* { transition-duration: 600s !important; }');
    document.adoptedStyleSheets.push(style);
  });

for (const key of ['Enter', 'Space'] as const) {
  test(`a menu opened by ${key} follows the arrow keys while it still fades in`, async ({ page }) => {
    await signUp(page);
    await tryOut(accountMenu(page), page.getByRole('menu'));
    await neverEndTransitions(page);
    // A user's finger releases Enter after the menu has opened. Space clicks when it is released.
    await page.keyboard.down(key);
    if (key === 'Space') await page.keyboard.up(key);
    await expect(menuItem(page, 'Appearance')).toBeFocused();
    await page.keyboard.up(key);
    await page.keyboard.press('ArrowDown');
    await expect(menuItem(page, 'Settings')).toBeFocused();
    await page.keyboard.press('End');
    await expect(menuItem(page, 'Sign out')).toBeFocused();
  });
}

async function expectFocusByEnter(button: Locator): Promise<void> {
  const overlay = button.page().getByRole('dialog');
  await tryOut(button, overlay);
  await neverEndTransitions(button.page());
  await button.page().keyboard.down('Enter');
  await expect(overlay).toBeVisible();
  await expectFocusInside(overlay);
  await button.page().keyboard.up('Enter');
}

test('a popover opened by Enter has the focus while it still fades in', async ({ page }) => {
  await page.goto('/');
  await expectFocusByEnter(page.getByRole('button', { name: /English/ }).first());
});

test('a dialog opened by Enter has the focus while it still fades in', async ({ page }) => {
  await openSpeech(page);
  await expectFocusByEnter(page.getByRole('button', { name: 'Download', exact: true }));
});

test('a menu shows a focus ring after a key and none after the mouse, and takes the press of a screen reader', async ({
  page,
}) => {
  await signUp(page);
  const menu = page.getByRole('menu');
  const first = menuItem(page, 'Appearance');
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  };
  await tryOut(accountMenu(page), menu);
  await page.keyboard.press('Enter');
  await expect(first).toBeFocused();
  await expect(first).toHaveAttribute('data-focus-visible');
  await close();
  await accountMenu(page).click();
  await expect(first).toBeFocused();
  await expect(first).not.toHaveAttribute('data-focus-visible');
  await close();
  // A screen reader clicks without a key and without a pointer.
  await accountMenu(page).evaluate((button: HTMLElement) => {
    button.click();
  });
  await expectFocusInside(menu);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(accountMenu(page)).toHaveCount(0);
});
