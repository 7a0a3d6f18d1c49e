import { codePointLength } from '#base/text.ts';
import { limits } from '#contract/limits.ts';

const refused = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** What was typed, made a title the server accepts; null when nothing is left of it. */
export function cleanTitle(typed: string): string | null {
  const text = typed.replace(refused, ' ').trim();
  if (text === '') return null;
  return codePointLength(text) <= limits.titleLength ? text : Array.from(text).slice(0, limits.titleLength).join('').trim();
}
