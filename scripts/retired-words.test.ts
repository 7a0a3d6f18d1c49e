import { expect, test } from 'vitest';
import { retiredIn, wordsOfName } from './retired-words.ts';

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
