/** One or two letters for a name: the first letters of its first and last word, in any script. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean);
  const firstLetter = (word: string | undefined) =>
    word === undefined
      ? ''
      : (new Intl.Segmenter().segment(word)[Symbol.iterator]().next().value?.segment ?? '');
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map(firstLetter).join('').toLocaleUpperCase();
}
