import { expect, test } from 'vitest';
import { namesInSource, retiredIn, retiredPhrasesIn, wordsOfName } from './retired-words.ts';

test('splits names into their words', () => {
  expect(
    ['hasUntold', 'HTTPWishList', 'note-being-written.ts', '#homeless', 'MOST_EARS'].map(wordsOfName),
  ).toEqual([
    ['has', 'untold'],
    ['http', 'wish', 'list'],
    ['note', 'being', 'written', 'ts'],
    ['homeless'],
    ['most', 'ears'],
  ]);
});

test('finds retired words inside names and suggests a replacement', () => {
  expect(retiredIn(['hasUntold', 'years', 'washes'])).toEqual(['hasUntold: not "untold" but pending change']);
});

test('names limits and defaults with the words of the field', () => {
  expect(retiredIn(['mostRows', '#usualPauseMs', 'least-hole.ts'])).toEqual([
    'mostRows: not "most" but max',
    '#usualPauseMs: not "usual" but default, or typical',
    'least-hole.ts: not "least" but min',
  ]);
  // The words alone, and elsewhere in a name, are English.
  expect(retiredIn(['longest', 'grownMost', 'maxRows'])).toEqual([]);
});

test('finds retired phrases in a text and suggests what to say', () => {
  expect(retiredPhrasesIn('A take goes on, whoever asks. It is on the presentation.')).toEqual([
    'not "goes on" but continue',
    'not "whoever" but anyone who',
  ]);
});

test('reads literals of the API, messages and tables, and the ids of elements', () => {
  const text = `const state = z.enum(['begun', 'A sentence.']);`;
  expect(retiredIn(namesInSource('src/contract/a.ts', text))).toEqual(['begun: not "begun" but started']);
  expect(retiredIn(namesInSource('src/server/a.ts', text))).toEqual([]);
  expect(retiredIn(namesInSource('src/web/a.tsx', '<h2 id="kept-title" title="kept" />'))).toEqual([
    'kept-title: not "kept" but stored, retained',
  ]);
});
