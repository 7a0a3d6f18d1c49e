import { readText, storedKeys, writeText } from './text-store.ts';

const prefix = 'earshot.typed.';

/**
 * Text that was typed into a form and not saved yet, by a key of the form. It survives a reload, a page that dies, and
 * the way to another page. It belongs to the tab, and ends with its user.
 */
export const typedText = {
  read: (key: string): string | null => readText('sessionStorage', prefix + key),
  write: (key: string, text: string | null): void => {
    writeText('sessionStorage', prefix + key, text);
  },
  /** Removes the texts of all forms. */
  clear: (): void => {
    for (const key of storedKeys('sessionStorage', prefix)) writeText('sessionStorage', key, null);
  },
};
