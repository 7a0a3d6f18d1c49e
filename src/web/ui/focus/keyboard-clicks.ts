import { setInteractionModality } from 'react-aria/useFocusVisible';

/**
 * Enter and Space click the focused button. React Aria takes a click without a pointer for a screen reader's, and then
 * moves the focus into an overlay only once no transition runs: the keys pressed until then are lost. These listeners
 * mark the click of a key as keyboard input. A screen reader clicks without a key event.
 *
 * Every module that renders an overlay of React Aria imports this. React Aria's own listeners are registered by the
 * import above, hence earlier; these have the last word before the click opens anything.
 */
let isKeyDown = false;

const clicks = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

function handleKey(event: KeyboardEvent): void {
  if (clicks(event)) isKeyDown = true;
}

function release(): void {
  isKeyDown = false;
}

function handleKeyUp(event: KeyboardEvent): void {
  handleKey(event);
  // Space clicks when it is released, after the listeners of its keyup.
  setTimeout(release);
}

function handleClick({ detail }: MouseEvent): void {
  if (isKeyDown && detail === 0) setInteractionModality('keyboard');
}

// Prerendering runs without a document.
if (typeof document !== 'undefined') {
  document.addEventListener('keydown', handleKey, true);
  document.addEventListener('keyup', handleKeyUp, true);
  document.addEventListener('click', handleClick, true);
  // The key may be released in another window.
  window.addEventListener('blur', release);
}
