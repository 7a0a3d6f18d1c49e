import { useState } from 'react';
import { typedText } from '#device/site-data/typed-text.ts';

/** Whether a text was typed into the form with this key, and was neither saved nor cancelled. */
export const hasTypedText = (key: string): boolean => typedText.read(key) !== null;

/** The text of a field that starts with what was typed before. `forget` when the form is saved or cancelled. */
export function useTypedText(key: string, initial: string) {
  const [text, setText] = useState(() => typedText.read(key) ?? initial);
  return {
    text,
    type: (next: string) => {
      setText(next);
      typedText.write(key, next === initial ? null : next);
    },
    forget: () => typedText.write(key, null),
  };
}
