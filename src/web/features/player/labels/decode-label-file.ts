import { decode, hasLegacyEncoding, legacyEncodingOf } from '#workers/import/probe/legacy-text.ts';

const marks: readonly { bytes: readonly number[]; encoding: string }[] = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
];

/** Fallback for Latin scripts: Western European versions of Excel save "CSV" in Windows-1252. */
const western = 'windows-1252';

/** The text of a file of labels, and its encoding. */
export interface DecodedLabelFile {
  text: string;
  encoding: string;
  /** True if neither a byte order mark nor valid UTF-8 says the encoding, so that the user may choose another one. */
  isGuessed: boolean;
}

/** The encodings that a user can choose from, with a language that is written in each. */
export const labelEncodings: readonly { name: string; language: string }[] = [
  { name: western, language: 'en' },
  { name: 'windows-1250', language: 'pl' },
  { name: 'windows-1251', language: 'ru' },
  { name: 'koi8-r', language: 'ru' },
  { name: 'windows-1253', language: 'el' },
  { name: 'windows-1254', language: 'tr' },
  { name: 'windows-1255', language: 'he' },
  { name: 'windows-1256', language: 'ar' },
  { name: 'windows-1257', language: 'lt' },
  { name: 'windows-1258', language: 'vi' },
  { name: 'windows-874', language: 'th' },
  { name: 'shift_jis', language: 'ja' },
  { name: 'euc-kr', language: 'ko' },
  { name: 'gbk', language: 'zh-Hans' },
  { name: 'big5', language: 'zh-Hant' },
];

/**
 * Decodes a file written by a spreadsheet or an audio editor. Uses the byte order mark if present, then UTF-8,
 * then the legacy encoding that fits the bytes and the user's languages, then Windows-1252, which decodes any
 * bytes.
 * @param languages of the user, in order of preference (BCP 47)
 * @param chosen the encoding that the user chose instead of a guessed one
 */
export function decodeLabelFile(
  bytes: Uint8Array,
  languages: readonly string[],
  chosen: string | null = null,
): DecodedLabelFile {
  const marked = marks.find(({ bytes: mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined)
    return {
      text: new TextDecoder(marked.encoding).decode(bytes),
      encoding: marked.encoding,
      isGuessed: false,
    };
  const utf8 = decode(bytes, 'utf-8');
  if (utf8 !== null) return { text: utf8, encoding: 'utf-8', isGuessed: false };
  const guess = hasLegacyEncoding(languages) ? legacyEncodingOf(bytes, languages) : null;
  const encoding = chosen ?? guess ?? western;
  return { text: new TextDecoder(encoding).decode(bytes), encoding, isGuessed: true };
}
