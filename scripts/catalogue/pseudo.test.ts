import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePo } from 'pofile-ts';
import { expect, test } from 'vitest';
import { checkTranslation } from './catalogue-gate.ts';
import { accented, pseudoMessage, turned } from './pseudo.ts';

const { items } = parsePo(readFileSync(join(import.meta.dirname, '..', '..', 'locales', 'en.po'), 'utf8'));

test.each([
  ['accents', accented],
  ['turned words', turned],
] as const)(
  '%s leave every message of the app well-formed, with all its placeholders, tags and forms',
  (_, respell) => {
    const problems = items
      .filter(({ msgid }) => msgid !== '')
      .flatMap(({ msgid }) => checkTranslation('en', msgid, pseudoMessage(msgid, respell)));
    expect(problems).toEqual([]);
  },
);

test('accented texts are longer by about half, and every word is marked', () => {
  expect(pseudoMessage('Move to trash', accented)).toBe('Ṁöṽé~~ ţö~ ţŕášĥ~~~');
  expect(pseudoMessage('<0>Open</0> {count, plural, one {# file} other {# files}} of <1/>', accented)).toBe(
    '<0>Öþéñ~~</0> {count,plural,one{# ƒîļé~~} other{# ƒîļéš~~~}} öƒ~ <1/>',
  );
});

test('reversed words read from right to left, and their marks are paired', () => {
  expect(pseudoMessage('Move {name}', turned)).toBe('\u202eMove\u202c {name}');
});
