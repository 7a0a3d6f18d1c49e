import { decode, decodeLegacy, hasLegacyEncoding } from '#workers/import/probe/legacy-text.ts';

const marks: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/**
 * Latin letters in a row are Western European; Excel's "CSV" of a Western system has them in Windows-1252.
 */
const western = 'windows-1252';

/**
 * The text of a file that a spreadsheet or an audio program wrote: by its byte order mark, else UTF-8, else
 * the legacy encoding that fits its letters and the user's languages, else Windows-1252, which decodes
 * anything.
 * @param languages of the user, the most wanted first (BCP 47)
 */
export function decodeLabelFile(bytes: Uint8Array, languages: readonly string[]): string {
  const marked = marks.find(({ bytes: mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return new TextDecoder(marked.encoding).decode(bytes);
  const utf8 = decode(bytes, 'utf-8');
  if (utf8 !== null) return utf8;
  return (
    (hasLegacyEncoding(languages) ? decodeLegacy(bytes, languages) : null) ??
    new TextDecoder(western).decode(bytes)
  );
}
