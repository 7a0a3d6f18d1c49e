import { replaceControlCharacters } from '#base/text.ts';

/**
 * The text without the characters that no note may have: controls other than line breaks and tabs, and marks
 * that change the direction of what follows.
 */
export const cleanNoteText = (text: string): string =>
  replaceControlCharacters(text.replaceAll(/\r\n?/g, '\n'), (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
