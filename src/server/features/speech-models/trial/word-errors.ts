const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** Counts the words that are missing, added or replaced. */
export function countWordErrors(heard: string, expected: string): number {
  const [words, wanted] = [wordsOf(heard), wordsOf(expected)];
  let row = wanted.map((_, index) => index + 1);
  for (const [count, word] of words.entries()) {
    let diagonal = count;
    let left = count + 1;
    row = row.map((above, index) => {
      const best = Math.min(left + 1, above + 1, diagonal + (word === wanted[index] ? 0 : 1));
      diagonal = above;
      left = best;
      return best;
    });
  }
  return row.at(-1) ?? words.length;
}
