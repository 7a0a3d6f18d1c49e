import { decode, decodeLegacy, hasLegacyEncoding } from '#workers/import/probe/legacy-text.ts';

const marks: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** Fallback for Latin scripts: Western European versions of Excel save "CSV" in Windows-1252. */
const western = 'windows-1252';

/**
 * Decodes a file written by a spreadsheet or an audio editor. Uses the byte order mark if present, then UTF-8,
 * then the legacy encoding that fits the bytes and the user's languages, then Windows-1252, which decodes any
 * bytes.
 * @param languages of the user, in order of preference (BCP 47)
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
