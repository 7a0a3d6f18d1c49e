import { expect, test } from 'vitest';
import { findHardcodedText, findTranslatedNames } from './hardcoded-text.ts';

const texts = (jsx: string) =>
  findHardcodedText(`export const Part = () => (\n${jsx}\n);`).map(({ text }) => text);

test.each([
  ['text between tags', '<p>Record now</p>', ['Record now']],
  ['text in any script', '<p>录音</p>', ['录音']],
  ['a label for screen readers', '<button aria-label="Close" />', ['Close']],
  ['a placeholder in braces', '<input placeholder={"Search"} />', ['Search']],
  ['a label built from a template', '<Button label={`Delete ${name}`} />', ['Delete']],
  ['both ends of a choice', '<p>{isOpen ? "Close" : "Open"}</p>', ['Close', 'Open']],
  ['text that depends on a condition', '<p>{isLate && "Too late"}</p>', ['Too late']],
  ['text glued together', '<p>{"Saved by " + name}</p>', ['Saved by']],
  ['text beside a translated part', '<p><Trans>Yes</Trans> and no</p>', ['and no']],
  [
    'a label inside an untranslated attribute of a translated neighbour',
    '<><Trans>Yes</Trans><img alt="A wave" /></>',
    ['A wave'],
  ],
])('finds %s', (_, jsx, expected) => {
  expect(texts(jsx)).toEqual(expected);
});

test.each([
  ['what stands in Trans', '<Trans>Saved by <b>{name}</b> today</Trans>'],
  ['plurals', '<Plural value={n} one="# marker" other="# markers" />'],
  ['templates of Lingui', '<p title={t`Close`}>{t`Open`}</p>'],
  ['numbers, signs and spaces', '<p> 12:07 · {value} – × </p>'],
  ['the name of the product', '<p>Earshot</p>'],
  ['keys of the keyboard', '<kbd>Home</kbd>'],
  ['attributes nobody reads', '<a href="/library" className="wide" role="tab" />'],
  ['values compared in a condition', '<p>{state === "open" && <b>{name}</b>}</p>'],
])('leaves alone %s', (_, jsx) => {
  expect(texts(jsx)).toEqual([]);
});

test('reports the line', () => {
  expect(
    findHardcodedText('const a = 1;\nexport const Part = () => (\n  <p>\n    Words\n  </p>\n);'),
  ).toEqual([{ line: 4, text: 'Words' }]);
});

test('finds a name that a browser would translate, and ignores one with translate="no"', () => {
  const lines = (jsx: string) =>
    findTranslatedNames(`export const Part = () => (\n${jsx}\n);`).map(({ line }) => line);
  expect(lines('<p>\n<bdi>{name}</bdi> <Trans>from <bdi dir="ltr">{address}</bdi></Trans></p>')).toEqual([
    3, 3,
  ]);
  expect(lines('<p><bdi dir="auto" translate="no">{name}</bdi> <b>{name}</b></p>')).toEqual([]);
});
