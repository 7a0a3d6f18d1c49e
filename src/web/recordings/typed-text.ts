import { useState } from 'react';
import { readText, storedKeys, writeText } from '#device/site-data/text-store.ts';
import { userScope } from '#web/api/user-scope.ts';

const prefix = 'earshot.typed.';

/**
 * Text that was typed into a form and not saved yet, by a key of the form. It survives a reload, a page that dies, and
 * the way to another page, and belongs to the tab.
 */
export const typedText = {
  read: (key: string): string | null => readText('sessionStorage', prefix + key),
  write: (key: string, text: string | null): void => {
    writeText('sessionStorage', prefix + key, text);
  },
};

userScope.onUserLeft(() => {
  for (const key of storedKeys('sessionStorage', prefix)) writeText('sessionStorage', key, null);
});

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
