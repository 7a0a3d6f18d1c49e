import { setImmediate } from 'node:timers/promises';
import { searchWordsOf } from '#base/search-words.ts';
import { JoinedWords } from './joined-words.ts';

/**
 * Raise it whenever the rules change that turn texts into words: everything indexed under older rules is then
 * indexed again.
 */
export const searchVersion = 4;

/** The columns that store a text's search words. */
export interface WordColumns {
  words: string;
  words_version: number;
}

/** Returns the search words of one text, for its row. */
export const wordColumnsOf = (text: string): WordColumns => ({
  words: new JoinedWords(searchWordsOf(text)).text,
  words_version: searchVersion,
});

/** How many characters are folded before other requests get a turn: a few milliseconds of work. */
const foldedTogether = 20_000;

/**
 * Adds the word columns for each item's text, yielding in between. Call it before the transaction that stores the
 * items.
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
