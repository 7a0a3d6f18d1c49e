import { isEnding, nearestControl } from './nearest-control.ts';

/**
 * How long Enter and Space do nothing on a control that ends something, or on its neighbour, after code moved the
 * focus there.
 */
const guardMs = 600;

let guarded: { element: Element; untilMs: number } | null = null;

function guard(element: Element): void {
  guarded = { element, untilMs: performance.now() + guardMs };
}

/**
 * Returns the focus to where it was. A control that ends something never gets it, because a double Enter would end
 * a recording. If nothing had the focus, the page gets it, so that the one-letter keys work.
 */
export function returnFocus(to: Element | null): void {
  if (!(to instanceof HTMLElement) || !to.isConnected || to === document.body)
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  else if (isEnding(to)) focusNeighbour(to);
  else to.focus({ preventScroll: true });
}

/** Focuses a neighbour and guards it too: the second Enter of a double press must not press it. */
function focusNeighbour(element: Element): void {
  const neighbour =
    element.parentElement && nearestControl({ within: element.parentElement, after: element });
  if (!neighbour) return;
  neighbour.focus({ preventScroll: true });
  guard(neighbour);
}

/**
 * Watches focus changes that no key or pointer caused. If the focus returns to a control that ends something,
 * because a dialog or a toast closed, a neighbour gets it instead. If code puts it there, Enter and Space do
 * nothing there for a moment.
 */
export function guardEndingControls(): void {
  let isMovedByUser = false;
  let last = document.activeElement;
  const listen = { capture: true, passive: false };

  const recordUserMove = ({ type, target }: Event) => {
    isMovedByUser = true;
    // A guarded control that is pressed has the focus by the press.
    if (type === 'pointerdown' && target instanceof Element && guarded?.element.contains(target))
      guarded = null;
    setTimeout(() => {
      isMovedByUser = false;
    });
  };
  document.addEventListener('pointerdown', recordUserMove, listen);
  document.addEventListener('click', recordUserMove, listen);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Tab') recordUserMove(event);
    },
    listen,
  );

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const isReturn = last !== null && !last.isConnected;
    last = target;
    guarded = null;
    if (isMovedByUser || !isEnding(target)) return;
    guard(target);
    if (isReturn) focusNeighbour(target);
  });

  const swallow = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    if (
      guarded === null ||
      !(event.target instanceof Node) ||
      !guarded.element.contains(event.target) ||
      performance.now() >= guarded.untilMs
    )
      return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', swallow, listen);
  document.addEventListener('keyup', swallow, listen);
}
