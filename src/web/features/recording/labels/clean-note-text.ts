/** The text without the characters that no note may have: controls other than line breaks and tabs, and marks that change the direction of what follows. */
export const cleanNoteText = (text: string): string =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === '\n' || character === '\t' ? character : ''));
