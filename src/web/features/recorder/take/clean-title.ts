import { codePointLength, replaceControlCharacters } from '#base/text.ts';
import { limits } from '#contract/limits.ts';

/** Converts typed text to a title that the server accepts; null if nothing is left. */
export function cleanTitle(typed: string): string | null {
  const text = replaceControlCharacters(typed, () => ' ').trim();
  if (text === '') return null;
  return codePointLength(text) <= limits.titleLength
    ? text
    : Array.from(text).slice(0, limits.titleLength).join('').trim();
}
