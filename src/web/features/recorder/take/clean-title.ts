import { codePointLength, replaceControlCharacters } from '#base/text.ts';
import { limits } from '#contract/limits.ts';

/** What was typed, made a title the server accepts; null when nothing is left of it. */
export function cleanTitle(typed: string): string | null {
  const text = replaceControlCharacters(typed, () => ' ').trim();
  if (text === '') return null;
  return codePointLength(text) <= limits.titleLength
    ? text
    : Array.from(text).slice(0, limits.titleLength).join('').trim();
}
