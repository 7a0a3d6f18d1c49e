import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finds } from './search-words.suite.ts';
import { placedPiecesOf, searchWordsOf, wantedWordsOf } from './search-words.ts';

describe('a text is found', () => {
  test.each([
    ['without accents', 'Élise à Besançon', 'besancon elise'],
    ['by one long letter or two', 'Straße nach Ærø', 'strasse aero'],
    ['by a dotted or dotless i', 'İstanbul ılık', 'istanbul ilik'],
    ['behind an apostrophe', 'Chant de l’été', 'ete'],
    ['with another apostrophe', 'інтерв\u02bcю', "інтерв'ю"],
    ['with a typographic apostrophe', 'інтерв\u02bcю', 'інтерв’ю'],
    ['with the apostrophe that Unicode names for Ukrainian', "інтерв'ю", 'інтерв\u02bcю'],
    ['by a flag', 'Kyiv 🇺🇦', '🇺🇦'],
    ['in capitals, final sigma or not', 'ΟΔΟΣ Αθηνών', 'οδοσ αθηνων'],
    ['with ё and й as their readers type them', 'Ёжик и Йод', 'ежик иод'],
    [
      'without harakat, tatweel and the forms of alef, ya and ta marbuta',
      'مُقَابَلَة مع أحمـد إلى',
      'مقابله احمد الي',
    ],
    ['with a Persian ya and kaf', 'كتابی', 'کتابي'],
    ['across a joiner', 'می\u200cروم', 'میروم'],
    ['without points', 'שָׁלוֹם עולם', 'שלום'],
    ['in Hindi, with or without the nukta', 'क़लम की कहानी', 'कलम कहानी'],
    ['while a Korean syllable is typed', '한국어', '한구'],
    ['by the letters of another width', 'ＡＢＣ ﾃｽﾄ', 'abc テスト'],
  ])('%s', (_, text, typed) => {
    expect(finds(typed, text)).toBe(true);
  });

  test.each(['٢٠٢٦', '۲۰۲۶', '२०२६', '২০২৬', '๒๐๒๖', '２０２６', '၂၀၂၆', '2026'])(
    'by digits of any script: %s',
    (typed) => {
      expect(finds(typed, 'Notes of 2026')).toBe(true);
      expect(finds('2026', `Notes of ${typed}`)).toBe(true);
    },
  );

  test('by any part of a script without spaces, as soon as it is typed', () => {
    for (const text of [
      '北京大学生前来应聘',
      'お誕生日おめでとう',
      'ร้านกาแฟในกรุงเทพ',
      'ភាសាខ្មែរ',
      'မြန်မာဘာသာ',
    ]) {
      const characters = Array.from(text);
      fc.assert(
        fc.property(
          fc.nat(characters.length - 1),
          fc.integer({ min: 1, max: characters.length }),
          (from, length) => {
            expect(finds(characters.slice(from, from + length).join(''), text)).toBe(
              wantedWordsOf(characters.slice(from, from + length).join('')) !== null,
            );
          },
        ),
      );
    }
  });

  test('by each of its words, and by the start of the last one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zà-öø-ÿα-ωа-я]{1,12}$/u), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        (words, at, length) => {
          const last = words[at % words.length] ?? '';
          expect(
            finds(`${words.join(' ')} ${Array.from(last).slice(0, length).join('')}`, words.join(', ')),
          ).toBe(true);
        },
      ),
    );
  });
});

describe('a text is not found', () => {
  test.each([
    ['by the middle of a word', 'Seminar', 'minar'],
    ['by a word it has not', 'Seminar in Bonn', 'seminar in rome'],
    ['by か where it has が', 'がき', 'かき'],
    ['by signs alone', '100 % sicher', '%'],
  ])('%s', (_, text, typed) => {
    expect(finds(typed, text)).toBe(false);
  });
});

test('splits text into words of letters, digits and marks only, which no database can take for a query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const word of searchWordsOf(text.toWellFormed()))
        expect(word).toMatch(/^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]+$/u);
    }),
    { examples: [['⺀'], ['〇⺀ト⼀']] },
  );
});

// Time that grows with the square of the length would end these at their timeout.
test.each(['ا', '김', 'ا\u200c', 'می ', 'a\u0301'])('reads a long text of "%s" to its end', (text) => {
  expect(searchWordsOf(text.repeat(100_000)).length).toBeGreaterThan(0);
  expect(placedPiecesOf(text.repeat(20_000)).length).toBeGreaterThan(0);
});
