/**
 * Text of tags whose bytes were not in the encoding that the tag names: ID3 knows Latin-1 and UTF-16 or UTF-8, and programs wrote whatever
 * encoding their system had under the mark of Latin-1.
 */
interface LegacyEncoding { name: string; languages: readonly string[]; letters: RegExp }

const cyrillic = /^[\p{Script=Cyrillic}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u;
const latin = /^[\p{Script=Latin}\p{P}\p{N}\p{Z}]+$/u;
/** In the order in which they are tried where the user's languages do not choose. */
const legacyEncodings: readonly LegacyEncoding[] = [
  { name: 'windows-1251', languages: ['ru', 'uk', 'be', 'bg', 'sr', 'mk'], letters: cyrillic },
  { name: 'shift_jis', languages: ['ja'], letters: /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー々〜～\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u },
  { name: 'euc-kr', languages: ['ko'], letters: /^[\p{Script=Hangul}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u },
  { name: 'gbk', languages: ['zh'], letters: /^[\p{Script=Han}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u },
  { name: 'windows-1255', languages: ['he', 'iw', 'yi'], letters: /^[\p{Script=Hebrew}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u },
  { name: 'windows-1256', languages: ['ar', 'fa', 'ur'], letters: /^[\p{Script=Arabic}\p{P}\p{S}\p{N}\p{Z}A-Za-z]+$/u },
  { name: 'windows-1250', languages: ['pl', 'cs', 'sk', 'hu', 'hr', 'sl', 'ro'], letters: latin },
  { name: 'windows-1254', languages: ['tr', 'az'], letters: latin },
];

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Three characters beyond ASCII in a row stand in no Western European text but around quotation marks; control characters of Latin-1 stand in none at all. */
const isImplausibleLatin = (text: string): boolean => /[\u0080-\u009f]|[\u00a1-\u00aa\u00ac-\u00ba\u00bc-\u00ff]{3}/.test(text);

/**
 * The text that a tag was meant to hold; null where that cannot be known, so that the file's name is the better title.
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
  const wanted = languages.map((tag) => tag.split('-')[0] ?? '');
  const rankOf = ({ languages: spoken }: LegacyEncoding): number => {
    const rank = wanted.findIndex((language) => spoken.includes(language));
    return rank === -1 ? wanted.length : rank;
  };
  const fitting = legacyEncodings.map((encoding) => ({ rank: rankOf(encoding), encoding, decoded: decode(bytes, encoding.name) }))
    .filter(({ encoding, decoded }) => decoded !== null && encoding.letters.test(decoded));
  // Where nothing says which of several it is, a guess would be a wrong name.
  const [best, ...others] = fitting.toSorted((one, other) => one.rank - other.rank);
  if (best === undefined) return null;
  return best.rank < wanted.length || others.length === 0 ? best.decoded : null;
}
