import { focusable, nearestControl, type Place } from './nearest-control.ts';
import { guardEndingControls } from './return-focus.ts';

/**
 * What gives the focus back itself when it closes. A toast calls itself an alertdialog too, but floats in a
 * region beside the page.
 */
const overlay = ':is([role=dialog], [role=alertdialog], [role=menu]):not([role=region] *)';

/**
 * Gives the focus a new place when what had it goes away: a row that was deleted, a button that made room for
 * another. Without this the next Tab would begin at the top of the page. Dialogs and menus that close give it
 * back themselves and go first.
 */
export function startRestoringFocus(): void {
  guardEndingControls();
  let last: Element | null = null;
  let place: Place | null = null;
  const isLost = () => document.activeElement === document.body || document.activeElement === null;
  const restore = () => {
    if (!place || !isLost() || document.querySelector(overlay)) return;
    nearestControl(place)?.focus();
    place = null;
  };
  document.addEventListener('focusin', (event) => {
    last = event.target instanceof Element ? event.target : null;
    place = null;
  });
  // Whoever presses an empty place lets go of the focus.
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
    // Removed with its surroundings, it may have gone before them: then the outermost place that still stands
    // counts.
    if (place && isLost()) requestAnimationFrame(() => requestAnimationFrame(restore));
  }).observe(document.body, { childList: true, subtree: true });
}
