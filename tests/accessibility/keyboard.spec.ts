import type { Page } from '@playwright/test';
import { expect, test } from '#tests/e2e/provider-test.ts';
import {
  isSignedIn,
  listed,
  newUser,
  onlyReadyRecording,
  positionMs,
  signUp,
  untilClock,
} from '#tests/e2e/steps.ts';
import { expectFocus, press, tabTo } from './keyboard.ts';

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) });
const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

test('Stop by a key in the bar of a take leads to its message, whose first control is Play', async ({
  page,
}) => {
  await signUp(page);
  await press(page, button(page, 'Record'));
  await untilClock(page, 1500);
  await press(page, place(page, 'Library'));
  const bar = page.getByRole('region', { name: 'Recording' });
  await expect(bar.getByText(/Saved on (the server|this device)/)).toBeVisible();
  await press(page, bar.getByRole('button', { name: 'Stop', exact: true }));
  const message = page.getByRole('alertdialog').filter({ hasText: 'Recording stopped' });
  await expect(message).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(message.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
});

test('a recording is made, marked, found, played, sought, renamed, trashed and restored without a mouse', async ({
  page,
}) => {
  await signUp(page);
  await press(page, button(page, 'Record'));
  await untilClock(page, 1500);
  await expectFocus(page);
  await page.keyboard.press('m');
  await expect(page.getByRole('textbox', { name: /Name for the marker/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Markers' }).getByRole('listitem')).toHaveCount(1);
  await press(page, place(page, 'Trash'));
  await expect(page.getByRole('heading', { level: 1, name: 'Trash' })).toBeFocused();
  // The running take's bar covers the bottom of every page: the focused element must still be visible.
  await tabTo(
    page,
    page.getByRole('region', { name: 'Recording' }).getByRole('link', { name: 'Back to recorder' }),
  );
  await page.keyboard.press('Enter');
  await press(page, button(page, 'Stop'));
  await onlyReadyRecording(page);
  await expectFocus(page);

  await press(page, place(page, 'Library'));
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeFocused();
  await press(page, page.locator('main a[href^="/recordings/"]'));
  await press(page, button(page, 'Play'));
  await expect.poll(() => positionMs(page)).toBeGreaterThan(100);
  await expectFocus(page);
  const slider = page.getByRole('slider', { name: 'Position' });
  await tabTo(page, slider);
  await page.keyboard.press('End');
  const endMs = Number(await slider.getAttribute('aria-valuemax'));
  await expect.poll(() => positionMs(page)).toBeGreaterThan(endMs - 100);
  // Playback has ended, either by reaching the end or by the seek. From here on only the keys move the position.
  await expect(button(page, 'Play')).toBeVisible();
  await page.keyboard.press('Shift+ArrowLeft');
  await expect.poll(() => positionMs(page)).toBeLessThan(endMs - 800);
  await page.keyboard.press('Home');
  await expect.poll(() => positionMs(page)).toBe(0);

  await press(page, button(page, 'Rename'));
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('By hand alone');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await listed(page))[0]?.title).toBe('By hand alone');
  await expectFocus(page);

  await press(page, button(page, 'Move to trash'));
  await expect.poll(async () => (await listed(page)).length).toBe(0);
  await expectFocus(page);
  await press(page, place(page, 'Trash'));
  await press(page, button(page, 'Restore'));
  await expect.poll(async () => (await listed(page)).length).toBe(1);
  await expectFocus(page);
});

test('an account is created, linked, signed out and in, and its language changed without a mouse', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allow(/401/);
  const user = newUser();
  const dialog = page.getByRole('dialog');
  await page.goto('/sign-up');
  const type = async (root: Page | ReturnType<Page['getByRole']>, action: string) => {
    await press(page, root.getByRole('button', { name: 'Use email', exact: true }));
    await expect(root.getByRole('textbox', { name: 'Email' })).toBeFocused();
    await page.keyboard.type(user.email);
    await tabTo(page, root.getByLabel('Password', { exact: true }));
    await page.keyboard.type(user.password);
    await press(page, root.getByRole('button', { name: action, exact: true }));
    await expect.poll(() => isSignedIn(page)).toBe(true);
    await expectFocus(page);
  };
  await type(page, 'Create account');

  await press(page, place(page, 'Settings'));
  await press(page, page.getByRole('link', { name: 'Sign-in and security', exact: true }));
  const opening = page.waitForEvent('popup');
  await press(page, button(page, /Village ID/));
  const popup = await opening;
  const closing = popup.waitForEvent('close');
  const bob = popup.getByRole('button', { name: 'bob' });
  await bob.waitFor();
  for (
    let presses = 0;
    presses < 5 && !(await bob.evaluate((element) => element === document.activeElement));
    presses += 1
  )
    await popup.keyboard.press('Tab');
  await popup.keyboard.press('Enter');
  await closing;
  await expect(page.getByText('bob@village.example')).toBeVisible();
  await expectFocus(page);

  await press(page, button(page, /’s account$/));
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect.poll(() => isSignedIn(page)).toBe(false);
  await expectFocus(page);
  await press(page, button(page, 'Sign in'));
  await expect(dialog).toBeVisible();
  await type(dialog, 'Sign in');
  await expect(dialog).toHaveCount(0);

  await press(page, button(page, /Language/));
  await expect(dialog).toBeVisible();
  await expectFocus(page);
  await page.keyboard.type('Deutsch');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(dialog).toHaveCount(0);
  await expectFocus(page);
});

test('every dialog and menu returns the focus to the control that opened it', async ({ page }) => {
  for (const [name, overlay] of [
    ['Appearance', 'menu'],
    ['Keyboard shortcuts', 'dialog'],
    ['Sign in', 'dialog'],
    [/Language/, 'dialog'],
  ] as const) {
    await press(page, button(page, name));
    await expect(page.getByRole(overlay)).toBeVisible();
    await expectFocus(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole(overlay)).toHaveCount(0);
    await expect(button(page, name)).toBeFocused();
    await expectFocus(page);
  }
});
