/** Elements that can take the focus without text input, because a text field would open a phone's keyboard. */
export const focusable = 'a[href], button:not(:disabled), summary, [role=slider][tabindex="0"]';

/** Set on every control that ends or removes something at once: Stop, Discard, Delete, Sign out. */
const ending = '[data-ends]';

/** Whether pressing the element ends or removes something at once. */
export const isEnding = (element: Element): boolean => element.closest(ending) !== null;

const isVisible = (element: HTMLElement) =>
  element.checkVisibility({ visibilityProperty: true }) && element.tabIndex >= 0;

/** A position in the page: inside an element, and after a node in it. */
export interface Place {
  within: Element;
  after: Node | null;
}

const follows = (node: Node, other: Node) =>
  (other.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !other.contains(node);

/**
 * The next control after a place, else the one before, else one further out, else the heading of the page: that is
 * where a user continues from a bar beside the page, such as that of a running take. Never a control that ends something.
 */
export function nearestControl({ within, after }: Place): HTMLElement | null {
  for (
    let around: Element | null = within;
    around && around.tagName !== 'MAIN' && !around.querySelector('main');
    around = around.parentElement
  ) {
    const controls = [...around.querySelectorAll<HTMLElement>(focusable)].filter(
      (element) => isVisible(element) && !isEnding(element),
    );
    const next = after?.isConnected
      ? (controls.find((element) => follows(element, after)) ?? controls.at(-1))
      : controls[0];
    if (next) return next;
  }
  return (
    document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector<HTMLElement>('main')
  );
}
