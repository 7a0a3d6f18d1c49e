/** As a screen shows it: several spaces as one, and letters with their accents in one piece or several. */
const asShown = (text: string): string => text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim().toLowerCase();

/** Whether a user has typed the word that confirms an action, as they read it. */
export const isWordTyped = (typed: string, word: string): boolean => asShown(typed) === asShown(word);
