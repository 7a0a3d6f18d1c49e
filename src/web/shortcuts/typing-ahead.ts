/** How long keys are collected for a field that has not appeared. Then they are shortcuts again. */
const longestWaitMs = 3000;

let collected: { text: string; stop: () => void } | null = null;

const isText = ({ key, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent): boolean =>
  Array.from(key).length === 1 && !ctrlKey && !altKey && !metaKey && !isComposing;

/**
 * Collects typed text until a requested field appears, so that no letter of a marker's name triggers a shortcut,
 * and no Enter presses the focused button. Tab, Escape or a pointer press ends it.
 */
export function collectTyping(): void {
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
  const timer = setTimeout(typing.stop, longestWaitMs);
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
      // The key that requested the field may still be held.
      if (event.repeat) return;
      if (event.key === 'Backspace') typing.text = typing.text.slice(0, -1);
      else if (event.key !== 'Enter') typing.text += event.key;
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
