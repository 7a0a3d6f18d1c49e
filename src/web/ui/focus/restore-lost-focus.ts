import { focusable, nearestControl, type Place } from './nearest-control.ts';
import { guardEndingControls } from './return-focus.ts';

/**
 * Overlays that return the focus themselves when they close. A toast has the role alertdialog too, but is in a
 * region beside the page.
 */
const overlay = ':is([role=dialog], [role=alertdialog], [role=menu]):not([role=region] *)';

let isStarted = false;

/**
 * Moves the focus when the focused element is removed: a deleted row, or a button replaced by another. Otherwise
 * the next Tab would start at the top of the page. Dialogs and menus return the focus themselves and have
 * priority. Starts once per page, also if called again, and not while pages are prerendered.
 */
export function startRestoringFocus(): void {
  if (isStarted || typeof document === 'undefined') return;
  isStarted = true;
  guardEndingControls();
  // An element may have the focus already.
  let last = document.activeElement;
  let place: Place | null = null;
  const isLost = () => document.activeElement === document.body || document.activeElement === null;
  const restore = () => {
    if (!place || !isLost() || document.querySelector(overlay)) return;
    const next = nearestControl(place);
    // The heading of a page may be far above.
    next?.focus({ preventScroll: !next.matches(focusable) });
    place = null;
  };
  document.addEventListener('focusin', (event) => {
    last = event.target instanceof Element ? event.target : null;
    place = null;
  });
  // Pressing an empty place gives up the focus on purpose.
  document.addEventListener(
    'pointerdown',
    (event) => {
      last = event.target instanceof Element ? event.target.closest(focusable) : null;
    },
    { capture: true, passive: true },
  );
  new MutationObserver((changes) => {
    for (const { removedNodes, target, previousSibling } of changes) {
      const isIt =
        last !== null && !last.isConnected && [...removedNodes].some((node) => node.contains(last));
      if (isIt && target instanceof Element) place = { within: target, after: previousSibling };
    }
    // The element may have been removed before its ancestors. The outermost remaining place counts then.
    if (place && isLost()) requestAnimationFrame(() => requestAnimationFrame(restore));
  }).observe(document.body, { childList: true, subtree: true });
}
