import { limits } from '#contract/limits.ts';
import type { RawTitle } from './raw-title.ts';
import { meantText, meantTextOfBytes } from './tag-text.ts';

/**
 * File extensions. Only the listed ones start with a digit, so that `Meeting 10.30am` and `Interview v1.2` have
 * none.
 */
const endings = /(?<=.)\.(?:3g2|3gpp?2?|8svx|[A-Za-z][A-Za-z0-9]{0,4})$/;

/** A file's name without folder and extension. */
export function nameWithoutEnding(name: string): string {
  const [last = ''] = name.split(/[/\\]/).slice(-1);
  return last.replace(endings, '');
}

/**
 * Zero width non-joiner and joiner belong to Persian, Indic scripts and emoji; tag characters to flags. Other
 * invisible characters are removed from a title.
 */
const invisible = /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu;
const isVisible = (text: string): boolean => /[^\p{Z}\p{C}\p{M}]/u.test(text);

/**
 * Turns text into a valid title: one line, without invisible characters, within the limit; empty if nothing
 * remains.
 */
export function asTitle(text: string): string {
  const line = text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .trim();
  const title = Array.from(line)
    .slice(0, limits.titleLength)
    .join('')
    .slice(0, limits.titleLength)
    .toWellFormed()
    .trim();
  return isVisible(title) ? title : '';
}

/**
 * Whether a tag's text may be only what a parser could read of it: nothing, a single character, as the start of UTF-16
 * is that was read byte by byte, or no text.
 */
export const isDoubtful = (tagTitle: string, languages: readonly string[]): boolean =>
  tagTitle.length < 2 || meantText(tagTitle, languages) === null;

/**
 * The title from the tags or the name. `languages` are the user's, for tags in a legacy encoding.
 * @param names.rawTitle the bytes of the tag, if its text is doubtful
 */
export function titleOf(
  {
    name,
    tagTitle,
    rawTitle = null,
  }: { name: string; tagTitle: string | undefined; rawTitle?: RawTitle | null },
  languages: readonly string[],
): string {
  const raw = rawTitle === null ? null : meantTextOfBytes(rawTitle.bytes, rawTitle.declared, languages);
  const meant = raw ?? (tagTitle === undefined ? null : meantText(tagTitle, languages));
  return asTitle(meant ?? '') || asTitle(nameWithoutEnding(name)) || asTitle(name) || '–';
}
