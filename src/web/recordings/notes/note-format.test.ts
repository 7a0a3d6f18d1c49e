import { expect, test } from 'vitest';
import { formatted, type NoteFormat } from './note-format.ts';

/** `|` marks the start and the end of the selection. */
function pressed(marked: string, format: NoteFormat): string {
  const [before = '', chosen = '', after = ''] = marked.split('|');
  const value = before + chosen + after;
  const edit = formatted(
    { value, selectionStart: before.length, selectionEnd: before.length + chosen.length },
    format,
  );
  const changed = value.slice(0, edit.from) + edit.insert + value.slice(edit.to);
  return `${changed.slice(0, edit.selectFrom)}|${changed.slice(edit.selectFrom, edit.selectTo)}|${changed.slice(edit.selectTo)}`;
}

test('puts bold and italic around the selection, and removes them when pressed again', () => {
  expect(pressed('a |b| c', 'bold')).toBe('a **|b|** c');
  expect(pressed('a **|b|** c', 'bold')).toBe('a |b| c');
  expect(pressed('||', 'italic')).toBe('*||*');
});

test('selects the missing part of a link: its address or its text', () => {
  expect(pressed('see |this|', 'link')).toBe('see [this](|https://|)');
  expect(pressed('|https://a.example|', 'link')).toBe('[||](https://a.example)');
});

test('turns whole lines into a list, and a list into lines', () => {
  expect(pressed('one\nt|wo\nthr|ee\nfour', 'list')).toBe('one\n|- two\n- three|\nfour');
  expect(pressed('|- two\n- three|', 'list')).toBe('|two\nthree|');
  expect(pressed('||', 'list')).toBe('- ||');
});
