/** An encoding from before UTF-8: the languages that used it, and the letters of their text. */
interface LegacyEncoding {
  name: string;
  languages: readonly string[];
  letters: RegExp;
}

const cyrillic = /^[\p{Script=Cyrillic}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u;
const latin = /^[\p{Script=Latin}\p{P}\p{N}\p{Z}]+$/u;
/** The order in which encodings are tried if the user's languages do not decide. */
const legacyEncodings: readonly LegacyEncoding[] = [
  { name: 'windows-1251', languages: ['ru', 'uk', 'be', 'bg', 'sr', 'mk'], letters: cyrillic },
  {
    name: 'shift_jis',
    languages: ['ja'],
    letters: /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー々〜～\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u,
  },
  { name: 'euc-kr', languages: ['ko'], letters: /^[\p{Script=Hangul}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u },
  { name: 'gbk', languages: ['zh'], letters: /^[\p{Script=Han}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u },
  {
    name: 'windows-1255',
    languages: ['he', 'iw', 'yi'],
    letters: /^[\p{Script=Hebrew}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u,
  },
  {
    name: 'windows-1256',
    languages: ['ar', 'fa', 'ur'],
    letters: /^[\p{Script=Arabic}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u,
  },
  { name: 'windows-1250', languages: ['pl', 'cs', 'sk', 'hu', 'hr', 'sl', 'ro'], letters: latin },
  { name: 'windows-1254', languages: ['tr', 'az'], letters: latin },
];

/** The names of all encodings that are guessed. */
export const legacyEncodingNames: readonly string[] = legacyEncodings.map(({ name }) => name);

/** Decodes bytes; null if they are invalid in this encoding. */
export function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const languageOf = (tag: string): string => tag.split('-')[0] ?? '';

/** Whether one of these languages (BCP 47) used an encoding other than that of Western Europe. */
export const hasLegacyEncoding = (languages: readonly string[]): boolean =>
  languages.some((tag) => legacyEncodings.some((encoding) => encoding.languages.includes(languageOf(tag))));

/**
 * Decodes bytes that are not UTF-8 in the encoding of `legacyEncodingOf`.
 * @returns null if there is none
 */
export function decodeLegacy(bytes: Uint8Array, languages: readonly string[]): string | null {
  const encoding = legacyEncodingOf(bytes, languages);
  return encoding === null ? null : decode(bytes, encoding);
}

/**
 * The encoding of bytes that are not UTF-8, if exactly one fits: all letters belong to its script. The user's
 * languages choose between several.
 * @param languages of the user, most preferred first (BCP 47)
 * @returns null if none fits or the choice is ambiguous, because a guess would be a wrong name
 */
export function legacyEncodingOf(bytes: Uint8Array, languages: readonly string[]): string | null {
  const wanted = languages.map(languageOf);
  const rankOf = ({ languages: spoken }: LegacyEncoding): number => {
    const rank = wanted.findIndex((language) => spoken.includes(language));
    return rank === -1 ? wanted.length : rank;
  };
  const fitting = legacyEncodings
    .map((encoding) => ({ rank: rankOf(encoding), encoding, decoded: decode(bytes, encoding.name) }))
    .filter(({ encoding, decoded }) => decoded !== null && encoding.letters.test(decoded));
  const [best, ...others] = fitting.toSorted((one, other) => one.rank - other.rank);
  if (best === undefined) return null;
  return best.rank < wanted.length || others.length === 0 ? best.encoding.name : null;
}
