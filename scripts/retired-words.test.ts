import { expect, test } from 'vitest';
import { retiredIn, retiredPhrasesIn, wordsOfName } from './retired-words.ts';

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

test('finds retired phrases in a text and suggests what to say', () => {
  expect(retiredPhrasesIn('A take goes on, whoever asks. It is on the presentation.')).toEqual([
    'not "goes on" but continue',
    'not "whoever" but anyone who',
  ]);
});
