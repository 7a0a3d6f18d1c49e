/**
 * Blocks a key that has triggered its action until it is released, so that it sets no second marker and types no
 * letters into a field that it opened.
 * @param pressed the event that triggered the action
 */
export function spendKey(pressed: KeyboardEvent): void {
  const ending = new AbortController();
  const options = { capture: true, signal: ending.signal };
  addEventListener(
    'keydown',
    (event) => {
      if (!event.repeat || event.code !== pressed.code) {
        ending.abort();
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    },
    options,
  );
  addEventListener(
    'keyup',
    () => {
      ending.abort();
    },
    options,
  );
}
