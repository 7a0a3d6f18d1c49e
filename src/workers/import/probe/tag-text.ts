import { decode, decodeLegacy } from './legacy-text.ts';

/**
 * Three characters beyond ASCII in a row stand in no Western European text but around quotation marks;
 * control characters of Latin-1 stand in none at all.
 */
const isImplausibleLatin = (text: string): boolean =>
  /[\u0080-\u009f]|[\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00ff]{3}/.test(text);

/**
 * The text that a tag was meant to hold; null where that cannot be known, so that the file's name is the
 * better title. ID3 knows Latin-1 and UTF-16 or UTF-8, and programs wrote whatever encoding their system had
 * under the mark of Latin-1.
 * @param text as decoded by the tag's own mark
 * @param languages of the user, the most wanted first (BCP 47)
 */
export function meantText(text: string, languages: readonly string[]): string | null {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  if (codes.some((code) => code > 0xff) || codes.every((code) => code < 0x80)) return text;
  const bytes = Uint8Array.from(codes);
  const utf8 = decode(bytes, 'utf-8');
  if (utf8 !== null) return utf8;
  if (!isImplausibleLatin(text)) return text;
  return decodeLegacy(bytes, languages);
}
