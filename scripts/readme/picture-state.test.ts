import { expect, test } from 'vitest';
import { stateOf } from './picture-state.ts';

const catalogue = (...words: string[]) =>
  words.map((word) => `#: src/a.tsx\nmsgid "${word}"\nmsgstr "${word}"`).join('\n\n');
const files = (css: string) =>
  new Map([
    ['src/a.tsx', 'const a = 1;'],
    ['src/a.module.css', css],
  ]);
const state = stateOf(catalogue('Play', 'Share'), files('.a { color: red; }'));

test('a picture is older than its screen if a word or a style of the screen has changed', () => {
  expect(stateOf(catalogue('Play'), files('.a { color: red; }'))).not.toBe(state);
  expect(stateOf(catalogue('Play', 'Share'), files('.a { color: blue; }'))).not.toBe(state);
});

test('comments, layout, logic, and words of other screens leave a picture as it is', () => {
  const changed = files('/* why */\n.a {\n  color: red;\n}');
  changed.set('src/a.tsx', 'const a = 2;');
  const others = `${catalogue('Share', 'Play')}\n\n#: src/b.tsx\nmsgid "Other"\nmsgstr "Other"`;
  expect(stateOf(others, changed)).toBe(stateOf(catalogue('Play', 'Share'), files(' .a { color: red; }')));
});
