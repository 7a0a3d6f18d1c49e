import type { Page } from '@playwright/test';
import { look } from './axe.ts';

/**
 * Describes what does not fit: a page that scrolls sideways, or text cut off by its own box. An icon may replace
 * text that does not fit.
 */
export async function overflowProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const hasOwnText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const cut = [...document.body.querySelectorAll('*')].filter((element) => {
      const { overflowX, overflowY, clipPath, textOverflow, display } = getComputedStyle(element);
      if (
        !hasOwnText(element) ||
        clipPath !== 'none' ||
        display === 'inline' ||
        element.closest('svg, select, [aria-hidden=true]') ||
        textOverflow === 'ellipsis'
      )
        return false;
      const hides = (value: string) => value === 'hidden' || value === 'clip';
      return (
        (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (hides(overflowY) && element.scrollHeight > element.clientHeight + 1)
      );
    });
    return [
      ...(wide > 0 ? [`${wide} pixels too wide`] : []),
      ...cut.map((element) => `cut off: ${element.outerHTML.slice(0, 140)}`),
    ];
  });
}

/**
 * Every control smaller than `minPx` pixels, except links within a sentence (WCAG 2.5.8).
 * @param equivalents selects controls that the page has again, large enough (WCAG 2.5.5, Equivalent)
 */
export async function smallTargets(page: Page, minPx: number, equivalents = ':not(*)'): Promise<string[]> {
  return page.evaluate(
    ([min, alsoElsewhere]) => {
      const controls =
        'a[href], button, input, select, textarea, summary, [role=slider], [role=option], [role=menuitem], [role=switch]';
      const isSeen = (element: Element) =>
        element.checkVisibility({ opacityProperty: false, visibilityProperty: true }) &&
        !element.closest('[aria-hidden=true], [inert]');
      // A label belongs to its field, and a row's link covers the whole row.
      const pressed = (control: Element) => {
        const over = getComputedStyle(control, '::after');
        const isLaidOver =
          over.content !== 'none' &&
          over.position === 'absolute' &&
          Number.parseFloat(over.width) > control.getBoundingClientRect().width;
        return (
          control.closest('label') ??
          (isLaidOver && control instanceof HTMLElement ? control.offsetParent : null) ??
          control
        );
      };
      const isInSentence = (control: Element) =>
        control.matches('a') &&
        getComputedStyle(control).display === 'inline' &&
        (control.parentElement?.textContent.trim().length ?? 0) > control.textContent.trim().length;
      return [...document.querySelectorAll(controls)].filter(isSeen).flatMap((control) => {
        const target = pressed(control);
        const { width, height, bottom } = target.getBoundingClientRect();
        const isHidden = Math.max(width, height) <= 1 || bottom < 0;
        const fits = Math.min(width, height) >= min - 0.5;
        return fits || isHidden || isInSentence(control) || control.matches(alsoElsewhere)
          ? []
          : [`${Math.round(width)}×${Math.round(height)} ${control.outerHTML.slice(0, 160)}`];
      });
    },
    [minPx, equivalents] as const,
  );
}

/** Text with a contrast below 7:1 (4.5:1 if large), the goal for users who request more contrast. */
export async function lowContrastText(page: Page): Promise<string[]> {
  const { violations } = await look(page, { type: 'rule', values: ['color-contrast-enhanced'] });
  return violations.flatMap(({ nodes }) =>
    nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary?.split('\n')[1]?.trim() ?? ''}`),
  );
}
