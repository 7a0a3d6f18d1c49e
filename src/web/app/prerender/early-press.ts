/** A control as a person would tell it from others. */
interface Control {
  tagName: string;
  name: string;
}

/** Does what was pressed last; null where nothing was. */
let meant: (() => void) | null = null;

const controlOf = (element: HTMLElement): Control => ({
  tagName: element.tagName,
  name: element.getAttribute('aria-label') ?? element.textContent,
});
const controlsIn = (root: string): HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(`${root} :is(button, a, input, select)`),
];

/** A list knows only after its first drawing which of its rows are in the window. */
const longestFrames = 30;

/** By its name, as something may have come to its place. */
function press(wanted: Control, frames = longestFrames): void {
  const found = controlsIn('#root').find((element) => {
    const { tagName, name } = controlOf(element);
    return tagName === wanted.tagName && name === wanted.name;
  });
  if (found) found.click();
  else if (frames > 0)
    requestAnimationFrame(() => {
      press(wanted, frames - 1);
    });
}

/** Nothing in the picture hears a press: what lies under it is found by its place. */
function notePress({ clientX, clientY, isTrusted }: MouseEvent): void {
  // What a script presses has no place on the screen.
  if (!isTrusted) return;
  const isUnder = (element: Element): boolean => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  };
  // A row of a list is its link, wherever it is pressed.
  const under =
    controlsIn('[data-stand-in]').find(isUnder) ??
    [...document.querySelectorAll('[data-stand-in] li')].find(isUnder)?.querySelector('a');
  const control = under && controlOf(under);
  meant = control
    ? () => {
        press(control);
      }
    : null;
}

/** A key that writes something may be a shortcut; which one, the app knows. */
function noteKey({ key, code, shiftKey, ctrlKey, altKey, metaKey, repeat, isTrusted }: KeyboardEvent): void {
  if (!isTrusted || repeat || ctrlKey || altKey || metaKey || key.length !== 1) return;
  meant = () => {
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }),
    );
  };
}

/**
 * Begins to remember what is pressed, in the picture of the page or on the keyboard, before the app is there
 * to hear it.
 */
export function recordEarlyPress(): void {
  addEventListener('click', notePress);
  addEventListener('keydown', noteKey);
}

/** Does, once the app is there, what was pressed last before it was. */
export function replayEarlyPress(): void {
  removeEventListener('click', notePress);
  removeEventListener('keydown', noteKey);
  const act = meant;
  meant = null;
  act?.();
}
