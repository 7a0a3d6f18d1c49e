/**
 * Scripts without spaces between words, and emoji. They are found by any part, so that no dictionary has to agree
 * with the user.
 */
// Scripts also contain symbols, such as the CJK radical ⺀, which are not letters of a word.
const spacelessLetters = String.raw`[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]&&[\p{L}\p{M}\p{N}]]`;
const spaceless = String.raw`[${spacelessLetters}\p{Extended_Pictographic}\p{Regional_Indicator}ー々〆\u3099\u309a]`;
const pieces = new RegExp(String.raw`(?<run>${spaceless}+)|[[\p{L}\p{N}\p{M}]--${spaceless}]+`, 'gv');

/**
 * Accents, points, harakat and nuktas. Vowel signs of Indic scripts and Thai are marks too, but letters to their
 * readers.
 */
const diacritics =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]]--[\u3099\u309a]]|[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0640\p{Cf}]/gv;

/** Letters that keyboards and spellings distinguish but readers treat as the same. */
const sameLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
};
const foldedLetters = new RegExp(`[${Object.keys(sameLetters).join('')}]`, 'gu');

const maxWordLength = 100;
/** One character may become eighteen (U+FDFA). The longest text of a user in any script is shorter than this. */
const maxFoldedLength = 100_000;
const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code));

/** Converts a digit of any script to 0–9; Unicode encodes each ten of them consecutively. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value += 1;
  return String(value);
}

/** The apostrophe of Ukrainian, which Unicode counts among the letters. Keyboards write `'` or `’`. */
const letterApostrophe = '\u02bc';

const decompose = (text: string): string => text.normalize('NFKD');
const foldDecomposed = (text: string): string =>
  text
    .replaceAll(diacritics, '')
    .replaceAll(letterApostrophe, "'")
    .toLowerCase()
    .replaceAll(foldedLetters, (letter) => sameLetters[letter] ?? letter)
    .replaceAll(/[\p{Nd}--[0-9]]/gv, asciiDigit);
const fold = (text: string): string => foldDecomposed(decompose(text).slice(0, maxFoldedLength));

/** A word, or a run of a script without spaces, with its index in the folded text. */
interface Piece {
  text: string;
  isRun: boolean;
  index: number;
}
const piecesIn = (folded: string): Piece[] =>
  [...folded.matchAll(pieces)].map(({ 0: found, groups, index }) => ({
    text: found,
    isRun: groups?.['run'] !== undefined,
    index,
  }));
const piecesOf = (text: string): Piece[] => piecesIn(fold(text));
const cut = (word: string): string =>
  word.length > maxWordLength ? Array.from(word).slice(0, maxWordLength).join('') : word;

/** Every two adjacent characters of a run, or its only character. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** Parts of Persian and Urdu words that are written with a joiner, a space or nothing between them, as folded. */
const joinedBefore: ReadonlySet<string> = new Set(['مي', 'نمي']);
const joinedBehind: ReadonlySet<string> = new Set(['ها', 'هاي', 'هايي', 'تر', 'ترين']);
/** It starts only where a word does, so that a long word without a joiner is read once. */
const joinedWords = /(?<!\p{Script=Arabic})\p{Script=Arabic}+(?:\u200c\p{Script=Arabic}+)+/gu;

/** Whether two words in a row are also one word, written in parts. */
const isJoined = (before: Pick<Piece, 'text' | 'isRun'>, word: Pick<Piece, 'text' | 'isRun'>): boolean =>
  !before.isRun && !word.isRun && (joinedBefore.has(before.text) || joinedBehind.has(word.text));

/** A word that is written in parts, as one word. */
const joinedOf = (pieces: readonly Piece[]): string[] =>
  pieces.slice(1).flatMap((word, index) => {
    const before = pieces[index];
    return before !== undefined && isJoined(before, word) ? [before.text + word.text] : [];
  });

/** Korean family names of one syllable, which most people have. */
const familyNames =
  '강고곽구권기길김나남노도류마맹명모문민박반방배백변봉서석선설성소손송신심안양엄여연염예오옥왕용우원위유육윤은이인임장전정제조주지진차채천최추탁표하한함허현홍황';
/** How a word begins whose first syllable is decomposed Hangul. Other words need no further look. */
const decomposedHangul = /^[\u1100-\u11ff]/;
const koreanName = new RegExp(`^[${familyNames}]([가-힣]{2,})$`);

/**
 * The word without its first syllable, if that can be a family name: people look for a given name, and particles
 * follow it without a space.
 */
function givenNameOf(word: string): string[] {
  if (!decomposedHangul.test(word)) return [];
  const name = koreanName.exec(word.normalize('NFC'))?.[1];
  return name === undefined ? [] : [name.normalize('NFD')];
}

/**
 * The words by which a text is found, folded and without duplicates: letters, digits and marks only. Runs of
 * scripts without spaces give their characters and pairs of them.
 */
export function searchWordsOf(text: string): string[] {
  const found = piecesOf(text);
  // A joiner is removed by folding, so that its word is one.
  const parts =
    text
      .slice(0, maxFoldedLength)
      .match(joinedWords)
      ?.flatMap((word) => piecesOf(word.replaceAll('\u200c', ' '))) ?? [];
  const words = [...found, ...parts].flatMap((piece) =>
    piece.isRun
      ? [...Array.from(piece.text), ...pairsOf(piece.text)]
      : [piece.text, ...givenNameOf(piece.text)],
  );
  return [...new Set([...words, ...joinedOf(found)].map(cut))];
}

/** A search: texts with all of these words, and with a word that starts with the last typed one. */
export interface WantedWords {
  whole: string[];
  prefix: string | null;
}

/** Parses the typed text; null if it contains nothing to search for. */
export function wantedWordsOf(typed: string): WantedWords | null {
  const all = piecesOf(typed);
  const last = all.at(-1);
  if (!last) return null;
  const prefix = last.isRun ? null : cut(last.text);
  const before = prefix === null ? all : all.slice(0, -1);
  return {
    whole: [...new Set(before.flatMap((piece) => (piece.isRun ? pairsOf(piece.text) : [cut(piece.text)])))],
    prefix,
  };
}

/** A letter with its marks. Half-width sound marks of kana decompose into marks. */
const unit = /[^\p{M}\uff9e\uff9f][\p{M}\uff9e\uff9f]*|[\p{M}\uff9e\uff9f]+/gsu;

/** A piece of a text as it is indexed, with the positions of its letters in the text. */
export interface PlacedPiece {
  isRun: boolean;
  /** The indexed word; for a run the run itself. */
  word: string;
  /** Start and end of a letter in the text, by its index in the folded piece. */
  startOf: (letter: number) => number;
  endOf: (letter: number) => number;
}

/** A part of a piece, from a letter on. */
const partOf = (piece: PlacedPiece, from: number, word: string): PlacedPiece => ({
  isRun: false,
  word,
  startOf: (letter) => piece.startOf(from + letter),
  endOf: (letter) => piece.endOf(from + letter),
});

/** The parts of a word that are written with joiners between them. */
function partsOf(piece: PlacedPiece, joiners: ReadonlySet<number>): PlacedPiece[] {
  const starts = Array.from(piece.word, (_, letter) => letter).filter((letter) =>
    joiners.has(piece.startOf(letter) - 1),
  );
  if (starts.length === 0) return [];
  return [0, ...starts].map((from, index) => partOf(piece, from, piece.word.slice(from, starts[index])));
}

/** The words that are indexed beside the pieces of a text: parts of them, and pairs of them as one. */
function innerPiecesOf(pieces: readonly PlacedPiece[], text: string): PlacedPiece[] {
  const joiners = new Set(
    [...text.matchAll(joinedWords)].flatMap(({ 0: word, index }) =>
      Array.from(word.matchAll(/\u200c/g), (joiner) => index + joiner.index),
    ),
  );
  const own = pieces.filter(({ isRun }) => !isRun);
  return [
    ...own.flatMap((piece) =>
      givenNameOf(piece.word).map((name) => partOf(piece, piece.word.length - name.length, name)),
    ),
    ...(joiners.size === 0 ? [] : own.flatMap((piece) => partsOf(piece, joiners))),
    ...pieces.slice(1).flatMap((piece, index) => {
      const before = pieces[index];
      if (before === undefined || !isJoined({ ...before, text: before.word }, { ...piece, text: piece.word }))
        return [];
      const { length } = before.word;
      return [
        {
          isRun: false,
          word: cut(before.word + piece.word),
          startOf: (letter: number) =>
            letter < length ? before.startOf(letter) : piece.startOf(letter - length),
          endOf: (letter: number) => (letter < length ? before.endOf(letter) : piece.endOf(letter - length)),
        },
      ];
    }),
  ];
}

/** The pieces of a text by the same rules as `searchWordsOf`, with their positions in the original text. */
export function placedPiecesOf(text: string): PlacedPiece[] {
  let [folded, decomposedLength] = ['', 0];
  const [starts, ends]: [number[], number[]] = [[], []];
  for (const { 0: written, index } of text.matchAll(unit)) {
    const decomposed = decompose(written);
    const own = foldDecomposed(decomposed.slice(0, maxFoldedLength - decomposedLength));
    for (let letter = 0; letter < own.length; letter += 1) {
      starts.push(index);
      ends.push(index + written.length);
    }
    folded += own;
    decomposedLength += decomposed.length;
    if (decomposedLength >= maxFoldedLength) break;
  }
  const pieces = piecesIn(folded).map(({ text: found, isRun, index }): PlacedPiece => ({
    isRun,
    word: isRun ? found : cut(found),
    startOf: (letter) => starts[index + letter] ?? 0,
    endOf: (letter) => ends[index + letter] ?? 0,
  }));
  return [...pieces, ...innerPiecesOf(pieces, text)].toSorted(
    (one, other) => one.startOf(0) - other.startOf(0),
  );
}
