import { decode, decodeLegacy } from './legacy-text.ts';

/**
 * In Western European text, three consecutive characters beyond ASCII only occur around quotation marks; control
 * characters of Latin-1 never occur.
 */
const isImplausibleLatin = (text: string): boolean =>
  /[\u0080-\u009f]|[\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00ff]{3}/.test(text);

/**
 * The intended text of a tag; null if it cannot be determined, so that the file's name is used as the title. ID3
 * has Latin-1, UTF-16 and UTF-8, but programs wrote text in their system's encoding and declared it as Latin-1.
 * @param text as decoded with the declared encoding
 * @param languages of the user, most preferred first (BCP 47)
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
