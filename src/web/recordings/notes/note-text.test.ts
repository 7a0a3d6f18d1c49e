import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, inlinesOf, safeHref, type Inline } from './note-text.ts';

const wordsOf = (parts: readonly Inline[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : wordsOf(part.parts))).join('');
const linksOf = (parts: readonly Inline[]): string[] =>
  parts.flatMap((part) =>
    part.kind === 'text' ? [] : [...(part.kind === 'link' ? [part.href] : []), ...linksOf(part.parts)],
  );
const linesOf = (text: string): Inline[][] =>
  blocksOf(text).flatMap((block) => (block.kind === 'paragraph' ? block.lines : block.items));
const depthOf = (parts: readonly Inline[]): number =>
  Math.max(0, ...parts.map((part) => (part.kind === 'text' ? 0 : 1 + depthOf(part.parts))));
const text = (words: string): Inline => ({ kind: 'text', text: words });

const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '**',
        '*',
        '_',
        '[',
        '](',
        ')',
        '](https://a.example/b)',
        '](javascript:alert(1))',
        '](data:text/html,x)',
        '\\',
        '\n',
        '\n\n',
        '- ',
        '1. ',
        ' ',
        '<script>',
        '[x](JaVaScRiPt:alert)',
      ),
      fc.string({ maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

test('parses bold, italic and links, one inside another', () => {
  expect(inlinesOf('a **b _c_** [d **e**](https://f.example/?g=h) *i*')).toEqual([
    text('a '),
    { kind: 'bold', parts: [text('b '), { kind: 'italic', parts: [text('c')] }] },
    text(' '),
    {
      kind: 'link',
      href: 'https://f.example/?g=h',
      parts: [text('d '), { kind: 'bold', parts: [text('e')] }],
    },
    text(' '),
    { kind: 'italic', parts: [text('i')] },
  ]);
});

test('shows marks that open nothing as characters: in products and file names, unclosed or escaped', () => {
  for (const [written, shown] of [
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['a_file_name', 'a_file_name'],
    ['**open', '**open'],
    ['\\*star\\*', '*star*'],
    ['[not a link]', '[not a link]'],
    ['a ** b', 'a ** b'],
  ] as const) {
    expect(inlinesOf(written)).toEqual([text(shown)]);
  }
});

test('keeps the lines of paragraphs, the items of lists and the first number', () => {
  expect(blocksOf('One\ntwo\n\n- a\n* b\n3. c\n4) d\nlast')).toEqual([
    { kind: 'paragraph', lines: [[text('One')], [text('two')]] },
    { kind: 'bullets', items: [[text('a')], [text('b')]] },
    { kind: 'numbers', first: 3, items: [[text('c')], [text('d')]] },
    { kind: 'paragraph', lines: [[text('last')]] },
  ]);
});

test('makes links of web and mail addresses only, and shows others as typed', () => {
  expect(safeHref('mailto:rosa@example.org')).toBe('mailto:rosa@example.org');
  for (const address of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '/relative',
    'blob:https://a.example/1',
  ])
    expect(safeHref(address)).toBe(null);
  expect(inlinesOf('[x](javascript:alert)')).toEqual([text('[x](javascript:alert)')]);
});

test('parses any text, with safe links only and without deep nesting', () => {
  fc.assert(
    fc.property(markup, (written) => {
      for (const line of linesOf(written)) {
        for (const href of linksOf(line)) expect(href).toMatch(/^(https?:|mailto:)/);
        expect(depthOf(line)).toBeLessThanOrEqual(4);
      }
    }),
    { numRuns: 2000 },
  );
});

test('shows text without marks unchanged', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }).filter((words) => !/[\\*_[\]()\n]/.test(words) && words.trim() !== ''),
      (words) => {
        expect(wordsOf(inlinesOf(words))).toBe(words);
      },
    ),
  );
});

test('parses a long text full of marks in linear time', () => {
  for (const piece of ['*', '**a', '[', '](https://a.example)', '_a_', '\\'])
    expect(linesOf(piece.repeat(20_000 / piece.length))).toHaveLength(1);
});
