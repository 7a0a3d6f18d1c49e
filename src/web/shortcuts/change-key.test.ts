import { expect, test } from 'vitest';
import { canSwap, holdersOf, keyOf, withDefaultKey, withKey, withoutKey } from './change-key.ts';
import { keyIn, type ChosenKeys } from './key-actions.ts';
import type { KeyStroke } from './match-shortcut.ts';

const stroke = (key: string, code: string, modifiers: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...modifiers,
});
const none: ChosenKeys = {};

test.each([
  ['a letter', stroke('g', 'KeyG'), 'g'],
  ['a letter with Shift is the capital letter', stroke('G', 'KeyG', { shiftKey: true }), 'G'],
  ['a Cyrillic letter is the Latin one of its place', stroke('п', 'KeyG'), 'g'],
  ['a Cyrillic letter on a key of punctuation is that punctuation', stroke('ж', 'Semicolon'), ';'],
  ['a German letter is itself', stroke('Ö', 'Semicolon', { shiftKey: true }), 'ö'],
  ['a sign that needs Shift', stroke('!', 'Digit1', { shiftKey: true }), '!'],
  ['an arrow cannot be chosen', stroke('ArrowUp', 'ArrowUp'), null],
  ['Space cannot be chosen', stroke(' ', 'Space'), null],
  ['Enter cannot be chosen', stroke('Enter', 'Enter'), null],
  ['a key with Ctrl cannot be chosen', stroke('g', 'KeyG', { ctrlKey: true }), null],
])('%s', (_, given, key) => {
  expect(keyOf(given)).toBe(key);
});

test('a free key is assigned, and the old one is free afterwards', () => {
  const chosen = withKey(none, 'recorder.record', 'g');
  expect(chosen).toEqual({ 'recorder.record': 'g' });
  expect(holdersOf(chosen, 'recorder.mark', 'r')).toEqual([]);
});

test('recorder and player may share a key, but not with an action that works everywhere', () => {
  expect(holdersOf(none, 'recorder.record', 'k')).toEqual([]);
  expect(holdersOf(none, 'everywhere.help', 'm')).toEqual(['recorder.mark', 'player.mark']);
});

test('two actions swap their keys', () => {
  expect(canSwap(none, 'recorder.record', 'p')).toBe(true);
  expect(withKey(none, 'recorder.record', 'p')).toEqual({ 'recorder.record': 'p', 'recorder.pause': 'r' });
});

test('swapping back stores nothing', () => {
  const swapped = withKey(none, 'recorder.record', 'p');
  expect(withKey(swapped, 'recorder.record', 'r')).toEqual({});
});

test('an action that cannot get the other key is left without one', () => {
  expect(canSwap(none, 'player.mute', '7')).toBe(false);
  expect(withKey(none, 'player.mute', '7')).toEqual({ 'player.mute': '7', 'player.tenth': null });
  const helpless = withoutKey(none, 'everywhere.help');
  expect(withKey(helpless, 'everywhere.help', 'p')).toEqual({
    'everywhere.help': 'p',
    'recorder.pause': null,
  });
});

test('no swap gives an action a key that conflicts with a third action', () => {
  // Help works in the player too, where K plays.
  const chosen = withKey(none, 'recorder.record', 'k');
  expect(canSwap(chosen, 'recorder.record', '?')).toBe(false);
  expect(withKey(chosen, 'recorder.record', '?')).toEqual({
    'recorder.record': '?',
    'everywhere.help': null,
  });
});

test('the ten digits are one key that is on or off', () => {
  const off = withoutKey(none, 'player.tenth');
  expect(keyIn(off, 'player.tenth')).toBeNull();
  expect(holdersOf(off, 'player.mute', '7')).toEqual([]);
  expect(withDefaultKey(off, 'player.tenth')).toEqual({});
});
