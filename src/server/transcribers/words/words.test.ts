import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textsOfLetters, withLetters } from './byte-tokens.ts';
import { doubtOf } from './doubts.ts';
import { placedWords } from './placed-words.ts';
import { spreadWords } from './spread-words.ts';
import { languageNamed, whisperLanguage } from './whisper-languages.ts';
import { wordsOfTokens } from './words-of-tokens.ts';

const wordsOf = (text: string) => text.split(' ').map((word) => ({ text: word, fromMs: 0, toMs: 0 }));

test('joins tokens to words; a mark belongs to the word before and takes no time', () => {
  expect(
    wordsOfTokens({
      text: ' Ask not, my fel-low.',
      tokens: [' Ask', ' not', ',', ' my', ' fel', '-low', '.'],
      timestamps: [0, 1, 1.5, 3, 4, 4.5, 5],
      durations: [0.5, 0.5, 1, 0.5, 0.5, 0.4, 2],
    }),
  ).toEqual([
    { text: 'Ask', fromMs: 0, toMs: 500 },
    { text: 'not,', fromMs: 1000, toMs: 1500 },
    { text: 'my', fromMs: 3000, toMs: 3500 },
    { text: 'fel-low.', fromMs: 4000, toMs: 4900 },
  ]);
});

test('tokens without a length last until the next one', () => {
  const heard = { text: '', tokens: ['▁Ja', 'wohl', '▁Herr'], timestamps: [0, 0.2, 3], durations: [] };
  expect(wordsOfTokens(heard)).toEqual([
    { text: 'Jawohl', fromMs: 0, toMs: 700 },
    { text: 'Herr', fromMs: 3000, toMs: 3500 },
  ]);
  expect(wordsOfTokens({ ...heard, timestamps: [] })).toBeNull();
});

test('divides scripts without spaces into words', () => {
  const tokens = ['今天', '天气', '很好', '。'];
  const words = wordsOfTokens({ text: '', tokens, timestamps: [0, 1, 2, 3], durations: [1, 1, 1, 1] });
  expect(words?.map(({ text }) => text).join('')).toBe('今天天气很好。');
  expect(words?.length).toBeGreaterThan(1);
  expect(words?.at(-1)?.toMs).toBe(3000);
});

test('letters for bytes give every text back, however it is divided', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.array(fc.nat({ max: 9 })), (text, sizes) => {
      const bytes = Buffer.from(text);
      const tokens: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += tokens.at(-1)?.length ?? 1)
        tokens.push(bytes.subarray(at, at + 1 + (sizes[tokens.length] ?? 0)));
      const file = withLetters(
        tokens.map((token, index) => `${token.toString('base64')} ${index}\n`).join(''),
      );
      const lines = (file ?? '').trimEnd().split('\n');
      const letters = lines.map((line) => Buffer.from(line.split(' ')[0] ?? '', 'base64').toString());
      expect(textsOfLetters(letters).join('')).toBe(bytes.toString().replaceAll('\u{FFFD}', ''));
    }),
  );
  expect(withLetters('<blk> 0\nthe 1\n')).toBeNull();
});

test('spreads words over the speech by their letters', () => {
  const speech = [
    { fromMs: 1000, toMs: 2000 },
    { fromMs: 5000, toMs: 6000 },
  ];
  expect(spreadWords('four four', speech)).toEqual([
    { text: 'four', fromMs: 1000, toMs: 2000 },
    { text: 'four', fromMs: 2000, toMs: 6000 },
  ]);
  expect(spreadWords('', speech)).toEqual([]);
});

test('doubts words that repeat three times, and more than eight a second', () => {
  expect(doubtOf(wordsOf('so it goes, so it goes. So it goes'), 9000)).toBe('loop');
  expect(doubtOf(wordsOf('no no'), 9000)).toBeNull();
  expect(doubtOf(wordsOf('a b c d e f g h i'), 1000)).toBe('doubtful');
  expect(doubtOf(wordsOf('a b c d e f g h i'), 2000)).toBeNull();
});

test('puts any words in order inside the chunk, with at most 2,000 characters', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: 'binary' }), fromMs: fc.double(), toMs: fc.double() })),
      (words) => {
        const placed = placedWords(words, { fromMs: 100, toMs: 5000 });
        let earliestMs = 100;
        for (const { fromMs, toMs, text } of placed) {
          expect(Number.isInteger(fromMs) && Number.isInteger(toMs)).toBe(true);
          expect(fromMs).toBeGreaterThanOrEqual(earliestMs);
          expect(toMs).toBeGreaterThanOrEqual(fromMs);
          expect(text).toMatch(/^[^\p{Cc}\p{Cs}]+$/u);
          earliestMs = toMs;
        }
        expect(earliestMs).toBeLessThanOrEqual(5000);
      },
    ),
  );
  const many = placedWords(wordsOf('word '.repeat(1000).trim()), { fromMs: 0, toMs: 28_000 });
  expect(many).toHaveLength(400);
});

test('knows the languages of Whisper by tag and by English name', () => {
  expect(['de-AT', 'nb', 'fil', 'EN'].map(whisperLanguage)).toEqual(['de', 'no', 'tl', 'en']);
  expect(['tlh', '', 'xx'].map(whisperLanguage)).toEqual([null, null, null]);
  expect(['english', 'German', 'de', 'Klingon'].map(languageNamed)).toEqual(['en', 'de', 'de', null]);
});
