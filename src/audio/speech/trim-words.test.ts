import { expect, test } from 'vitest';
import { trimWords } from './trim-words.ts';

/** Sound of this many milliseconds, loud in the given spans. */
function soundOf(ms: number, spans: readonly (readonly [number, number])[], noise = 0): Float32Array {
  const samples = new Float32Array(ms * 16).fill(noise);
  for (const [from, to] of spans) samples.fill(0.2, from * 16, to * 16);
  return samples;
}

test('moves both ends of a word to its sound', () => {
  const samples = soundOf(3000, [
    [500, 900],
    [2000, 2400],
  ]);
  expect(
    trimWords(
      [
        { fromMs: 0, toMs: 1500, text: 'ask' },
        { fromMs: 1500, toMs: 3000, text: 'not' },
      ],
      samples,
    ),
  ).toEqual([
    { fromMs: 500, toMs: 900, text: 'ask' },
    { fromMs: 2000, toMs: 2400, text: 'not' },
  ]);
});

test('leaves words alone where all is as loud as the noise, and puts them in order inside the sound', () => {
  expect(
    trimWords(
      [
        { fromMs: 800, toMs: 400, text: 'a' },
        { fromMs: 100, toMs: 9000, text: 'b' },
      ],
      soundOf(1000, [], 0.2),
    ),
  ).toEqual([
    { fromMs: 800, toMs: 800, text: 'a' },
    { fromMs: 800, toMs: 1000, text: 'b' },
  ]);
  expect(trimWords([{ fromMs: 0, toMs: 5, text: 'a' }], new Float32Array(0))).toEqual([
    { fromMs: 0, toMs: 0, text: 'a' },
  ]);
});
