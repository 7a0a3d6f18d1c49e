/** How long keys are collected for a field that has not appeared. Then they are shortcuts again. */
const maxWaitMs = 3000;

/** The same where the field appears only if something is typed: the user reaches for the keyboard first. */
const maxWaitForTextMs = 15_000;

let collected: { text: string; stop: () => void } | null = null;

const isText = ({ key, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent): boolean =>
  Array.from(key).length === 1 && !ctrlKey && !altKey && !metaKey && !isComposing;

/**
 * Collects typed text until a requested field appears, so that no letter of a marker's name triggers a shortcut,
 * and no Enter presses the focused button. Each key extends the wait. Tab, Escape or a pointer press ends it.
 * @param onText called once, with the first letter, if the field appears only then
 */
export function collectTyping(onText?: () => void): void {
  collected?.stop();
  const ending = new AbortController();
  const typing = {
    text: '',
    stop: () => {
      ending.abort();
    },
  };
  collected = typing;
  const options = { capture: true, signal: ending.signal };
  const waitMs = onText === undefined ? maxWaitMs : maxWaitForTextMs;
  let timer = setTimeout(typing.stop, waitMs);
  ending.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    if (collected === typing) collected = null;
  });
  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Tab' || event.key === 'Escape') {
        typing.stop();
        return;
      }
      if (!isText(event) && event.key !== 'Enter' && event.key !== 'Backspace') return;
      event.preventDefault();
      event.stopPropagation();
      clearTimeout(timer);
      timer = setTimeout(typing.stop, waitMs);
      // The key that requested the field may still be held.
      if (event.repeat) return;
      if (event.key === 'Backspace') typing.text = typing.text.slice(0, -1);
      else if (event.key !== 'Enter') {
        typing.text += event.key;
        onText?.();
        onText = undefined;
      }
    },
    options,
  );
  addEventListener('pointerdown', typing.stop, options);
}

/** Stops collecting and returns the collected text. */
export function takeTyped(): string {
  const text = collected?.text ?? '';
  collected?.stop();
  return text;
}
