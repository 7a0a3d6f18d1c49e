import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromSrt } from '#base/labels/srt.ts';
import { fromVtt } from '#base/labels/vtt.ts';
import { type Correction, withCorrections } from './corrections.ts';
import { type Line, lineOfWords, linesOfWords, linesWithin, type TimedWord, wordsOfLine } from './line.ts';
import { transcriptFile } from './transcript-file.ts';

const said = (text: string, fromMs = 0, wordMs = 300): TimedWord[] =>
  text.split(' ').map((word, index) => ({
    fromMs: fromMs + index * wordMs,
    toMs: fromMs + index * wordMs + 250,
    text: word,
  }));

const timedWords = fc
  .array(
    fc.tuple(fc.nat(2000), fc.nat(2000), fc.constantFrom('ask', 'not', 'what.', '国', '家', 'país', 'نعم؟')),
    {
      maxLength: 80,
    },
  )
  .map((steps) => {
    let atMs = 0;
    return steps.map(([pauseMs, lengthMs, text]): TimedWord => {
      const fromMs = atMs + pauseMs;
      atMs = fromMs + lengthMs;
      return { fromMs, toMs: atMs, text };
    });
  });

describe('lines', () => {
  test('end at the end of a sentence and at a pause', () => {
    const words = [...said('Ask not. What your'), ...said('country can', 3000)];
    expect(linesOfWords(words).map(({ text }) => text)).toEqual(['Ask not.', 'What your', 'country can']);
  });

  test('are at most ten seconds and 200 characters long', () => {
    for (const line of linesOfWords(said(Array.from({ length: 500 }, () => 'country').join(' ')))) {
      expect(line.text.length).toBeLessThanOrEqual(200);
      expect(line.toMs - line.fromMs).toBeLessThanOrEqual(10_000);
    }
  });

  test('have no spaces between the words of a script without spaces', () => {
    expect(lineOfWords(said('我 的 国家 is 大')).text).toBe('我的国家 is 大');
  });

  test('of a part have its words, with times from its start', () => {
    const lines = linesOfWords(said('Ask not. What your country'));
    expect(linesWithin(lines, { fromMs: 300, toMs: 1200 })).toMatchObject([
      { text: 'not.', fromMs: 0, toMs: 250 },
      { text: 'What your', fromMs: 300, toMs: 850 },
    ]);
    expect(linesWithin(lines, { fromMs: 310, toMs: 320 })).toEqual([]);
  });

  test('lose no word and no time', () => {
    fc.assert(
      fc.property(timedWords, (words) => {
        expect(linesOfWords(words).flatMap(wordsOfLine)).toEqual(words);
      }),
    );
  });
});

const correction = (given: Partial<Correction>): Correction => ({
  id: 'one',
  fromMs: 0,
  toMs: 1000,
  text: '',
  revision: 1,
  ...given,
});
const textsOf = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);

describe('corrections', () => {
  const line = lineOfWords(said('ask not what you country can do'));

  test('replace the words of their span; what is left of the line stays', () => {
    const shown = withCorrections(
      [line],
      [correction({ fromMs: 600, toMs: 1500, text: 'what your country' })],
    );
    expect(textsOf(shown)).toEqual(['ask not', 'what your country', 'can do']);
    expect(shown.map(({ correction: by }) => by?.id ?? null)).toEqual([null, 'one', null]);
  });

  test('leave the times of words that the user did not change', () => {
    const [, shown] = withCorrections(
      [line],
      [correction({ fromMs: 600, toMs: 1500, text: 'what your, own Country' })],
    );
    expect(wordsOfLine(shown ?? line)).toEqual([
      { fromMs: 600, toMs: 850, text: 'what' },
      { fromMs: 850, toMs: 1025, text: 'your,' },
      { fromMs: 1025, toMs: 1200, text: 'own' },
      { fromMs: 1200, toMs: 1450, text: 'Country' },
    ]);
  });

  test('without a text say that nothing is said', () => {
    expect(withCorrections([line], [correction({ fromMs: 0, toMs: 5000 })])).toMatchObject([
      { text: '', times: [], correction: { id: 'one' } },
    ]);
  });

  test('stay where a new transcription finds nothing', () => {
    expect(textsOf(withCorrections([], [correction({ text: 'whispered' })]))).toEqual(['whispered']);
  });

  test('show every word outside their spans once, in order of time', () => {
    const spans = fc
      .array(fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 4000 })), { maxLength: 8 })
      .map((steps) => {
        let atMs = 0;
        return steps.map(([pauseMs, lengthMs], index) => {
          const fromMs = atMs + pauseMs;
          atMs = fromMs + lengthMs;
          return correction({ id: String(index), fromMs, toMs: atMs, text: 'x y' });
        });
      });
    fc.assert(
      fc.property(timedWords, spans, (words, corrections) => {
        const shown = withCorrections(linesOfWords(words), corrections);
        const isOutside = ({ fromMs, toMs }: TimedWord): boolean =>
          !corrections.some((by) => (fromMs + toMs) / 2 >= by.fromMs && (fromMs + toMs) / 2 < by.toMs);
        expect(shown.filter((at) => at.correction === null).flatMap(wordsOfLine)).toEqual(
          words.filter(isOutside),
        );
        expect(shown.filter((at) => at.correction !== null)).toHaveLength(corrections.length);
        for (const [index, at] of shown.entries())
          expect(at.fromMs).toBeGreaterThanOrEqual(shown[index - 1]?.fromMs ?? 0);
      }),
    );
  });
});

describe('files', () => {
  const at = (fromMs: number, text: string): Line => ({ fromMs, toMs: fromMs + 900, text, times: [] });
  const lines = [at(0, 'Ask not'), at(1000, ''), at(3_600_000, 'a --> b & <i>')];

  test('have the lines with words, in the syntax of their format', () => {
    expect(transcriptFile(lines, 'txt')).toBe('Ask not\na --> b & <i>\n');
    expect(transcriptFile(lines, 'timed-txt')).toBe('00:00\tAsk not\n1:00:00\ta --> b & <i>\n');
    expect(transcriptFile(lines, 'srt')).toBe(
      '1\n00:00:00,000 --> 00:00:00,900\nAsk not\n\n2\n01:00:00,000 --> 01:00:00,900\na -> b & <i>\n',
    );
    expect(transcriptFile(lines, 'vtt')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nAsk not\n\n01:00:00.000 --> 01:00:00.900\na -&gt; b &amp; &lt;i&gt;\n',
    );
  });

  test('are read back as they were written', () => {
    for (const [format, read] of [
      ['vtt', fromVtt],
      ['srt', fromSrt],
    ] as const)
      expect(
        read(transcriptFile(lines, format)).labels.map(({ atMs, endMs, text }) => [atMs, endMs, text]),
      ).toEqual([
        [0, 900, 'Ask not'],
        [3_600_000, 3_600_900, format === 'vtt' ? 'a -> b & <i>' : 'a -> b & '],
      ]);
  });

  test('never have three equal lines in a row', () => {
    const repeated = Array.from({ length: 50 }, (_line, index) => at(index * 1000, 'again'));
    expect(transcriptFile([...repeated, at(60_000, 'on')], 'txt')).toBe('again\nagain\non\n');
  });
});
