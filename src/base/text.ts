/** Counts code points, so that an emoji or a rare Han character counts as one. */
export function codePointLength(text: string): number {
  return Array.from(text).length;
}

/** Control characters, and those that reorder the text around them. */
const controlCharacters = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const eachControlCharacter = new RegExp(controlCharacters, 'gu');

/** Removes the characters that reorder the text around them. They come along when a text is copied. */
export const withoutBidiControls = (text: string): string =>
  text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');

export const hasControlCharacters = (text: string): boolean => controlCharacters.test(text);

/** Replaces every control character by the result of `replacement`. */
export const replaceControlCharacters = (text: string, replacement: (character: string) => string): string =>
  text.replaceAll(eachControlCharacter, replacement);

/** Folds a text for searching: NFKD, marks removed, lower case; used for stored titles and for the typed text. */
export function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The zeros of the digits on keyboards: Arabic, Persian and Urdu, Devanagari, Bengali, Thai, full width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];

/**
 * Replaces the digits of other scripts by 0 to 9, so that a code may be typed on any keyboard. Other characters
 * stay.
 */
export function latinDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = zeros.find((start) => code >= start && code < start + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}
