import { describe, expect, test } from 'vitest';
import { matchShortcut, type KeyStroke } from './match-shortcut.ts';

const stroke = (key: string, code: string, modifiers: Partial<KeyStroke> = {}): KeyStroke => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...modifiers,
});
const shift = { shiftKey: true };

test.each([
  ['a letter', stroke('m', 'KeyM'), 'm'],
  ['a letter with caps lock', stroke('M', 'KeyM'), 'm'],
  ['a letter where the layout moved it (Dvorak)', stroke('m', 'KeyM'), 'm'],
  ['the letter that is written, not the place of the key (AZERTY)', stroke('m', 'Semicolon'), 'm'],
  ['a Cyrillic layout, by the place of the key', stroke('ь', 'KeyM'), 'm'],
  ['an Arabic layout, by the place of the key', stroke('ة', 'KeyM'), 'm'],
  ['an Arabic question mark', stroke('؟', 'Slash', shift), '?'],
  ['a question mark', stroke('?', 'Slash', shift), '?'],
  ['a question mark on a German keyboard', stroke('?', 'Minus', shift), '?'],
  ['Arabic digits', stroke('٧', 'Digit7'), '7'],
  ['the space bar', stroke(' ', 'Space'), ' '],
  ['an arrow', stroke('ArrowLeft', 'ArrowLeft'), 'ArrowLeft'],
  ['an arrow with Shift', stroke('ArrowLeft', 'ArrowLeft', shift), 'Shift+ArrowLeft'],
  ['a letter with Shift', stroke('M', 'KeyM', shift), 'M'],
  ['a letter with Shift and caps lock', stroke('m', 'KeyM', shift), 'M'],
  ['a Cyrillic letter with Shift, by the place of the key', stroke('Ь', 'KeyM', shift), 'M'],
  ['a sign that needs Shift', stroke('<', 'Comma', shift), '<'],
])('%s', (_, given, name) => {
  expect(matchShortcut(given)).toBe(name);
});

describe('no shortcut', () => {
  test.each([
    ['with Ctrl', stroke('m', 'KeyM', { ctrlKey: true })],
    ['with Command', stroke('r', 'KeyR', { metaKey: true })],
    ['with Alt', stroke('ArrowLeft', 'ArrowLeft', { altKey: true })],
    ['with Shift on the space bar', stroke(' ', 'Space', shift)],
  ])('%s', (_, given) => {
    expect(matchShortcut(given)).toBeNull();
  });
});
