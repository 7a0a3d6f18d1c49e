/**
 * A key that has done its work does nothing else until it is released: no second marker, and no letters in a
 * field that it opened.
 * @param pressed the press that did it
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
