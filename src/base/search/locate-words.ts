import { placedPiecesOf, type PlacedPiece, type WantedWords } from '#base/search-words.ts';

/** A match in a text: from, to (UTF-16), and the index of the wanted word. */
interface Place {
  from: number;
  to: number;
  term: number;
}

export interface LocatedWords {
  /** How many of the wanted words the text contains. */
  found: number;
  places: readonly Place[];
}

/** Limits of searching and marking. */
const max = { terms: 20, places: 500 } as const;

/** The wanted words to find in one text, whole ones first. */
export const termsOf = ({ whole, prefix }: WantedWords): { word: string; isPrefix: boolean }[] =>
  [
    ...whole.map((word) => ({ word, isPrefix: false })),
    ...(prefix === null ? [] : [{ word: prefix, isPrefix: true }]),
  ].slice(-max.terms);

type Terms = ReturnType<typeof termsOf>;

/** Marks a whole match completely, and a prefix match up to the prefix. */
function inWord(piece: PlacedPiece, terms: Terms): Place[] {
  const last = piece.word.length - 1;
  const whole = terms.findIndex(({ word, isPrefix }) => !isPrefix && word === piece.word);
  const prefix = terms.findIndex(({ word, isPrefix }) => isPrefix && piece.word.startsWith(word));
  return [
    ...(whole === -1 ? [] : [{ from: piece.startOf(0), to: piece.endOf(last), term: whole }]),
    ...(prefix === -1
      ? []
      : [{ from: piece.startOf(0), to: piece.endOf((terms[prefix]?.word.length ?? 1) - 1), term: prefix }]),
  ];
}

/** Matches each character of a run and each two adjacent ones, as they are indexed. */
function inRun(piece: PlacedPiece, terms: Terms): Place[] {
  const wanted = new Map(terms.map(({ word }, term) => [word, term]));
  const characters = Array.from(piece.word);
  const places: Place[] = [];
  let letter = 0;
  for (const [index, character] of characters.entries()) {
    for (const word of [character, `${character}${characters[index + 1] ?? ''}`]) {
      const term = wanted.get(word);
      if (term !== undefined)
        places.push({ from: piece.startOf(letter), to: piece.endOf(letter + word.length - 1), term });
    }
    letter += character.length;
  }
  return places;
}

/** Finds the wanted words in a text, by the same rules as the search, at their original positions. */
export function locateWords(text: string, wanted: WantedWords): LocatedWords {
  const terms = termsOf(wanted);
  const places: Place[] = [];
  for (const piece of placedPiecesOf(text)) {
    places.push(...(piece.isRun ? inRun(piece, terms) : inWord(piece, terms)));
    if (places.length >= max.places) break;
  }
  return { found: new Set(places.map(({ term }) => term)).size, places };
}
