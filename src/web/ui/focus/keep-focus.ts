/** What can take the focus without asking for text: on a phone a field would bring up its keyboard. */
const focusable = 'a[href], button:not(:disabled), summary, [role=slider][tabindex="0"]';

/** What gives the focus back itself when it closes. A toast calls itself an alertdialog too, but floats in a region beside the page. */
const overlay = ':is([role=dialog], [role=alertdialog], [role=menu]):not([role=region] *)';

const isSeen = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true }) && element.tabIndex >= 0;

/** Where something stood that is gone: within what, and after what. */
interface Place { within: Element; after: Node | null }

const follows = (node: Node, other: Node) => (other.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** The next control of the same surroundings, else the one before, else wider surroundings; at last the heading of the page. */
function nearest({ within, after }: Place): HTMLElement | null {
  for (let around: Element | null = within; around && around.tagName !== 'MAIN' && around !== document.body; around = around.parentElement) {
    const seen = [...around.querySelectorAll<HTMLElement>(focusable)].filter(isSeen);
    const next = after?.isConnected ? seen.find((element) => follows(element, after)) ?? seen.at(-1) : seen[0];
    if (next) return next;
  }
  return document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector<HTMLElement>('main');
}

/**
 * Gives the focus a new place when what had it goes away: a row that was deleted, a button that made room for another. Without this
 * the next Tab would begin at the top of the page. Dialogs and menus that close give it back themselves and go first.
 */
export function startKeepingFocus(): void {
  let last: Element | null = null;
  let place: Place | null = null;
  const isLost = () => document.activeElement === document.body || document.activeElement === null;
  const mend = () => {
    if (!place || !isLost() || document.querySelector(overlay)) return;
    nearest(place)?.focus();
    place = null;
  };
  document.addEventListener('focusin', (event) => {
    last = event.target instanceof Element ? event.target : null;
    place = null;
  });
  // Whoever presses an empty place lets go of the focus.
  document.addEventListener('pointerdown', (event) => { last = event.target instanceof Element ? event.target.closest(focusable) : null; }, { capture: true, passive: true });
  new MutationObserver((changes) => {
    for (const { removedNodes, target, previousSibling } of changes) {
      const isIt = last !== null && !last.isConnected && [...removedNodes].some((node) => node.contains(last));
      if (isIt && target instanceof Element) place = { within: target, after: previousSibling };
    }
    // Removed with its surroundings, it may have gone before them: then the outermost place that still stands counts.
    if (place && isLost()) requestAnimationFrame(() => requestAnimationFrame(mend));
  }).observe(document.body, { childList: true, subtree: true });
}
