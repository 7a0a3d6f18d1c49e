import { searchWordsOf, wantedWordsOf } from './search-words.ts';

/** Whether a text is found by the typed words, as in both databases. */
export function finds(typed: string, text: string): boolean {
  const words = searchWordsOf(text);
  const wanted = wantedWordsOf(typed);
  if (wanted === null) return false;
  const { prefix } = wanted;
  return (
    wanted.whole.every((word) => words.includes(word)) &&
    (prefix === null || words.some((word) => word.startsWith(prefix)))
  );
}
