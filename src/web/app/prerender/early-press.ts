/** A link is known by its address: two recordings may have the same title. Other controls are known by their name. */
interface Control {
  tagName: string;
  href: string | null;
  name: string;
}

/** Replays the last press or key; null if there was none. */
let replay: (() => void) | null = null;

const controlOf = (element: HTMLElement): Control => ({
  tagName: element.tagName,
  href: element.getAttribute('href'),
  name: element.getAttribute('aria-label') ?? element.textContent,
});
const controlsIn = (root: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`${root} :is(button, a, input, select)`),
];

/** A list knows only after its first render which of its rows are in the window. */
const maxFrames = 30;

/** Finds the control again, because another one may be at its place now. Retries once per frame. */
function press(wanted: Control, frames = maxFrames): void {
  const found = controlsIn('#root').find((element) => {
    const { tagName, href, name } = controlOf(element);
    return tagName === wanted.tagName && href === wanted.href && (href !== null || name === wanted.name);
  });
  if (found) found.click();
  else if (frames > 0)
    requestAnimationFrame(() => {
      press(wanted, frames - 1);
    });
}

/** The prerendered page is inert, so the control below the pointer is found by its position. */
function recordPress({ clientX, clientY, isTrusted }: MouseEvent): void {
  // A click dispatched by a script has no position.
  if (!isTrusted) return;
  const isUnder = (element: Element): boolean => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  };
  // A row of a list acts as its link, wherever it is pressed.
  const under =
    controlsIn('[data-prerendered]').find(isUnder) ??
    [...document.querySelectorAll('[data-prerendered] li')].find(isUnder)?.querySelector('a');
  const control = under && controlOf(under);
  replay = control
    ? () => {
        press(control);
      }
    : null;
}

/** A key that types a character may be a shortcut. The app decides which one. */
function recordKey({
  key,
  code,
  shiftKey,
  ctrlKey,
  altKey,
  metaKey,
  repeat,
  isTrusted,
}: KeyboardEvent): void {
  if (!isTrusted || repeat || ctrlKey || altKey || metaKey || key.length !== 1) return;
  replay = () => {
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }),
    );
  };
}

/** Starts recording presses and keys on the prerendered page, before the app handles them. */
export function recordEarlyPress(): void {
  addEventListener('click', recordPress);
  addEventListener('keydown', recordKey);
}

/** Replays the last early press or key, once the app has rendered. */
export function replayEarlyPress(): void {
  removeEventListener('click', recordPress);
  removeEventListener('keydown', recordKey);
  const act = replay;
  replay = null;
  act?.();
}
