import { setImmediate } from 'node:timers/promises';
import { searchWordsOf } from '#base/search-words.ts';
import { JoinedWords } from './joined-words.ts';

/**
 * Raised whenever the rules change by which words are made of texts: what was indexed under older ones is
 * then done again.
 */
export const searchVersion = 2;

/** The columns beside a text that hold its search words. */
export interface WordColumns {
  words: string;
  words_version: number;
}

/** The search words of one text, for the row that keeps it. */
export const wordColumnsOf = (text: string): WordColumns => ({
  words: new JoinedWords(searchWordsOf(text)).text,
  words_version: searchVersion,
});

/** So many characters are folded before other requests have their turn: a few milliseconds. */
const foldedTogether = 20_000;

/**
 * Gives each of these the columns for its text, however many there are. Call it before the transaction that
 * stores them.
 */
export async function withTextWords<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): Promise<(Item & WordColumns)[]> {
  const columns: (Item & WordColumns)[] = [];
  let characters = 0;
  for (const item of items) {
    const text = textOf(item);
    columns.push({ ...item, ...wordColumnsOf(text) });
    characters += text.length;
    if (characters < foldedTogether) continue;
    characters = 0;
    await setImmediate();
  }
  return columns;
}
