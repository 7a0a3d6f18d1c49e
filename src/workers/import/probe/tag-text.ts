import { decode, decodeLegacy } from './legacy-text.ts';

/**
 * In Western European text, three consecutive characters beyond ASCII only occur around quotation marks; control
 * characters of Latin-1 never occur.
 */
const isImplausibleLatin = (text: string): boolean =>
  /[\u0080-\u009f]|[\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00ff]{3}/.test(text);

/**
 * Characters that no program means: those in place of what could not be decoded, controls, half characters, and a byte
 * order mark that was read as letters.
 */
const unmeant = /\ufffd|(?![\t-\r\u0080-\u009f])\p{Cc}|\p{Cs}|^(?:\u00ff\u00fe|\u00fe\u00ff)/u;

/** Whether most of a text is question marks, which programs write for letters that their encoding does not have. */
function isUnencoded(text: string): boolean {
  const questions = text.split('?').length - 1;
  return questions > 2 && questions * 2 > text.replaceAll(/\s/g, '').length;
}

/**
 * Punctuation of Windows' encodings, where Latin-1 has control characters. Each must stand where it is written, as
 * the same bytes begin letters of East Asian encodings.
 */
const windowsPunctuation: readonly (readonly [RegExp, string])[] = [
  [/(?<=[A-Za-z])\u0092(?=[A-Za-z\u00c0-\u00ff])/g, '’'],
  [/(?<![^\s(])\u0093([^\u0080-\u009f]+)\u0094(?![A-Za-z])/g, '“$1”'],
  [/(?<![^\s(])\u0091([^\u0080-\u009f]+)\u0092(?![A-Za-z])/g, '‘$1’'],
  [/(?<=\s)\u0096(?=\s)/g, '–'],
  [/(?<=\s)\u0097(?=\s)/g, '—'],
  [/(?<=[A-Za-z])\u0085(?=\s|$)/g, '…'],
];
const withWindowsPunctuation = (text: string): string =>
  windowsPunctuation.reduce(
    (replaced, [pattern, character]) => replaced.replaceAll(pattern, character),
    text,
  );

const windows1252 = new TextDecoder('windows-1252');
const windowsBytes = new Map(
  Array.from({ length: 256 }, (_, byte) => [windows1252.decode(Uint8Array.of(byte)), byte]),
);

/** The bytes that become this text when they are decoded as Latin-1 or Windows-1252; null if none do. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  const bytes = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff ? code : windowsBytes.get(character);
  });
  return bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : null;
}

/** Text whose characters are all multiples of 256 is Latin in UTF-16 that was read in the wrong byte order. */
const inRightByteOrder = (text: string): string =>
  /^[^\0-\u00ff]{2,}$/.test(text) &&
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at) % 256).every((low) => low === 0)
    ? text.replaceAll(/[^]/g, (character) => String.fromCharCode(character.charCodeAt(0) >> 8))
    : text;

/** UTF-8 whose last character may be incomplete, as in a field of thirty bytes. Null if it is no such text. */
function decodeCutUtf8(bytes: Uint8Array): string | null {
  for (let length = bytes.length; length > 0 && length > bytes.length - 4; length -= 1) {
    const text = decode(bytes.subarray(0, length), 'utf-8');
    if (text !== null) return length === bytes.length || /[^\0-\u007f]/.test(text) ? text : null;
  }
  return null;
}

/**
 * The intended text of a tag; null if it cannot be determined, so that the file's name is used as the title. ID3
 * has Latin-1, UTF-16 and UTF-8, but programs wrote text in their system's encoding and declared it as Latin-1.
 * @param text as decoded with the declared encoding
 * @param languages of the user, most preferred first (BCP 47)
 */
export function meantText(text: string, languages: readonly string[]): string | null {
  const whole = inRightByteOrder(text.replace(/\0+$/, ''));
  const bytes = bytesOf(whole);
  if (bytes !== null && /[^\0-\u007f]/.test(whole)) {
    const utf8 = decodeCutUtf8(bytes);
    if (utf8 !== null && !unmeant.test(utf8)) return utf8;
  }
  if (unmeant.test(whole) || isUnencoded(whole))
    return bytes !== null && isLikelyUtf16(bytes) ? decodeUtf16(bytes) : null;
  const latin = withWindowsPunctuation(whole);
  if (bytes === null || /[^\0-\u00ff]/.test(whole) || !isImplausibleLatin(latin)) return latin;
  return decodeLegacy(bytes, languages);
}

/**
 * Decodes UTF-16 without a byte order mark, in the byte order that gives text of few blocks of Unicode. Null if
 * neither gives text.
 */
function decodeUtf16(bytes: Uint8Array): string | null {
  if (bytes.length < 2) return null;
  const even = new Uint8Array(bytes.length + (bytes.length % 2));
  even.set(bytes);
  const candidates = ['utf-16le', 'utf-16be'].flatMap((encoding) => {
    const text = beforeZero(decode(even, encoding) ?? '');
    const characters = Array.from(text);
    const blocks = new Set(characters.map((character) => (character.codePointAt(0) ?? 0) >> 8)).size;
    return unmeant.test(text) || /[\p{Cn}\p{Co}]/u.test(text) || !/[\p{L}\p{N}]/u.test(text)
      ? []
      : [{ text, blocks }];
  });
  return candidates.toSorted((one, other) => one.blocks - other.blocks)[0]?.text ?? null;
}

/** How a tag says that its bytes are encoded. */
export type DeclaredEncoding = 'latin-1' | 'utf-16' | 'utf-16be' | 'utf-8';

const byteOrderMarks = [
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** A text before its first zero, which ends it or begins another value. */
const beforeZero = (text: string): string => text.split('\0', 1)[0] ?? '';

const isZeroPair = (bytes: Uint8Array, at: number): boolean => bytes[at] === 0 && bytes[at + 1] === 0;

/** Whether every second byte of some is zero: Latin letters in UTF-16. */
function isLikelyUtf16(bytes: Uint8Array): boolean {
  const zeros = [0, 0];
  let length = 0;
  while (length + 1 < bytes.length && !isZeroPair(bytes, length)) length += 2;
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  return length > 2 && Math.max(...zeros) * 4 > length && Math.min(...zeros) === 0;
}

/**
 * The intended text of a tag's bytes; null if it cannot be determined. Programs leave out the byte order mark, or
 * write UTF-16 where they declare one byte for each character.
 * @param languages of the user, most preferred first (BCP 47)
 */
export function meantTextOfBytes(
  bytes: Uint8Array,
  declared: DeclaredEncoding,
  languages: readonly string[],
): string | null {
  const marked = byteOrderMarks.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) {
    const text = decode(bytes.subarray(2, bytes.length - (bytes.length % 2)), marked.encoding);
    return text === null ? null : meantText(beforeZero(text), languages);
  }
  if (isLikelyUtf16(bytes)) return decodeUtf16(bytes);
  if (declared === 'utf-16be' || declared === 'utf-16') {
    const utf8 = decode(bytes, 'utf-8')?.replace(/\0+$/, '') ?? '\0';
    return unmeant.test(utf8) ? decodeUtf16(bytes) : utf8;
  }
  return meantText(beforeZero(String.fromCharCode(...bytes)), languages);
}
