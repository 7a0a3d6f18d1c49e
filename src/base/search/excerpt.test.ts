import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchWordsOf, wantedWordsOf, type WantedWords } from '#base/search-words.ts';
import { excerptOf, type Excerpt } from './excerpt.ts';
import { locateWords, termsOf } from './locate-words.ts';

const limits = { maxLength: 140, ranges: 8 };

function marked(text: string, typed: string): { excerpt: Excerpt; words: string[]; found: number } {
  const wanted = wantedWordsOf(typed);
  if (wanted === null) throw new Error('nothing is wanted');
  const located = locateWords(text, wanted);
  const excerpt = excerptOf(text, located, limits);
  return {
    excerpt,
    words: excerpt.ranges.map(([from, to]) => excerpt.text.slice(from, to)),
    found: located.found,
  };
}

const hasTerm = (text: string, wanted: WantedWords): boolean => {
  const words = searchWordsOf(text);
  return termsOf(wanted).some(({ word, isPrefix }) =>
    words.some((own) => (isPrefix ? own.startsWith(word) : own === word)),
  );
};

describe('marks matches in their original spelling', () => {
  test.each([
    ['Élise à Besançon', 'besancon elis', ['Élis', 'Besançon']],
    ['Straße nach Ærø', 'strasse ae', ['Straße', 'Æ']],
    ['مُقَابَلَة مع أحمـد', 'احمد', ['أحمـد']],
    ['क़लम की कहानी', 'कलम', ['क़लम']],
    ['Notes of ٢٠٢٦', '2026', ['٢٠٢٦']],
    ['北京大学生前来应聘', '大学生', ['大学生']],
    ['ร้านกาแฟในกรุงเทพ', 'กาแฟ', ['กาแฟ']],
    ['ＡＢＣ ﾃｽﾄ', 'abc テスト', ['ＡＢＣ', 'ﾃｽﾄ']],
    ['한국어', '한구', ['한국']],
    ['김철수와 인터뷰', '철수', ['철수']],
    ['می\u200cخواهم', 'می خواهم', ['می', 'خواهم']],
    ['می خواهم', 'می\u200cخواهم', ['می خواهم']],
    ['The question, and questions', 'question', ['question', 'question']],
  ])('%s · %s', (text, typed, expected) => {
    expect(marked(text, typed).words).toEqual(expected);
  });

  test('does not mark a longer word for a word that was wanted whole', () => {
    expect(marked('questions about a question of questioning', 'question about').words).toEqual([
      'about',
      'question',
    ]);
  });
});

test('chooses an excerpt with most of the wanted words, on one line, that starts and ends between words', () => {
  const text = `${'harbour and hills. '.repeat(40)}\nShe said:\tthe question of wool at the harbour was never asked\n${'again and again. '.repeat(40)}`;
  const { excerpt, words } = marked(text, 'harbour question wool');
  expect(excerpt.text.length).toBeLessThanOrEqual(limits.maxLength + 2);
  expect(excerpt.text).toMatch(/^…\S.*She said: the question of wool at the harbour.*\S…$/);
  expect(words).toContain('question');
  expect(words).toContain('wool');
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        'Élise',
        'Straße',
        '北京大学',
        'ร้านกาแฟ',
        '한국어',
        'أحمـد',
        'क़लम',
        '٢٠٢٦',
        'ﷺ',
        'ΟΔΟΣ',
        'ﾃﾞｽﾄ',
        '👩‍👩‍👧',
        'x',
      ),
      { maxLength: 60 },
    )
    .map((words) => words.join(' ')),
);

test('marks only wanted words, reports texts with all of them, and respects the limits', () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 1, max: 30 }), (given, at, length) => {
      const written = given.toWellFormed();
      const characters = Array.from(written);
      const typed = characters
        .slice(at % (characters.length + 1), (at % (characters.length + 1)) + length)
        .join('');
      const wanted = wantedWordsOf(typed);
      if (wanted === null) return;
      const { excerpt, found } = marked(written, typed);
      const words = searchWordsOf(written);
      const has = termsOf(wanted).filter(({ word, isPrefix }) =>
        words.some((own) => (isPrefix ? own.startsWith(word) : own === word)),
      );
      expect(found).toBe(has.length);
      expect(excerpt.ranges.length > 0).toBe(found > 0);
      expect(excerpt.text.length).toBeLessThanOrEqual(limits.maxLength + 2);
      expect(excerpt.ranges.length).toBeLessThanOrEqual(limits.ranges);
      let last = 0;
      for (const [from, to] of excerpt.ranges) {
        expect([from >= last, to > from, to <= excerpt.text.length]).toEqual([true, true, true]);
        expect(hasTerm(excerpt.text.slice(from, to), wanted)).toBe(true);
        last = to;
      }
    }),
    { numRuns: 2000 },
  );
});
