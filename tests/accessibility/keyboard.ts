import type { Locator, Page } from '@playwright/test';
import { expect } from '#tests/e2e/earshot-test.ts';

/** Describes what is wrong with the focus: it is lost, out of sight, covered or has no ring. */
async function focusProblem(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'the focus is lost';
    const rect = element.getBoundingClientRect();
    const name = element.outerHTML.slice(0, 120);
    const inside = [
      [0.5, 0.5],
      [0.1, 0.5],
      [0.9, 0.5],
      [0.5, 0.2],
      [0.5, 0.8],
    ].map(([x = 0, y = 0]) =>
      document.elementFromPoint(rect.left + rect.width * x, rect.top + rect.height * y),
    );
    // A checkbox or file input is drawn by its label, so the label is checked.
    const shown = element.closest('label') ?? element;
    if (
      !inside.some(
        (hit) =>
          hit &&
          (shown.contains(hit) ||
            (hit.contains(element) &&
              hit !== document.body &&
              hit !== document.documentElement &&
              hit.tagName !== 'MAIN')),
      )
    )
      return `nothing of it is in sight: ${name}`;
    // A row draws its link's ring around itself, a switch around its track.
    const ringed = [element, ...shown.querySelectorAll('*'), shown].some((part) =>
      [undefined, '::before', '::after'].some((pseudo) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(part, pseudo);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      }),
    );
    const isPlace = element.matches(
      'h1, main, [role=dialog], [role=alertdialog], [role=menu], section[tabindex="-1"]',
    );
    return ringed || isPlace ? null : `no ring: ${name}`;
  });
}

/** Checks after every step that the focus exists, is visible and is not covered (WCAG 2.4.7, 2.4.11). */
export async function expectFocus(page: Page): Promise<void> {
  await expect.poll(() => focusProblem(page), { timeout: 5000 }).toBeNull();
}

const isFocused = (target: Locator): Promise<boolean> =>
  target
    .first()
    .evaluate(
      (element) =>
        element === document.activeElement ||
        element.closest('label')?.contains(document.activeElement) === true,
    );

/**
 * Presses Tab (or Shift+Tab) until a control has the focus, checking every stop. The page starts again after the
 * last control.
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target.first()).toBeAttached();
  for (let presses = 0; presses < 120; presses += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press(key);
    // Between its last control and its first, the browser itself has the focus.
    if (await page.evaluate(() => document.activeElement !== document.body)) await expectFocus(page);
  }
  throw new Error(`no key leads to ${String(target)}`);
}

/** Tabs to a control and presses it by key. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
