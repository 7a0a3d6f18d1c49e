import { expect, test } from 'vitest';
import { formatted, type NoteFormat } from './note-format.ts';

/** `|` stands where the selection begins and ends. */
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

test('bold and italic are put around the selection and taken away by the same press', () => {
  expect(pressed('a |b| c', 'bold')).toBe('a **|b|** c');
  expect(pressed('a **|b|** c', 'bold')).toBe('a |b| c');
  expect(pressed('||', 'italic')).toBe('*||*');
});

test('a link asks for what is missing: its address, or its words', () => {
  expect(pressed('see |this|', 'link')).toBe('see [this](|https://|)');
  expect(pressed('|https://a.example|', 'link')).toBe('[||](https://a.example)');
});

test('whole lines become a list, and a list becomes lines', () => {
  expect(pressed('one\nt|wo\nthr|ee\nfour', 'list')).toBe('one\n|- two\n- three|\nfour');
  expect(pressed('|- two\n- three|', 'list')).toBe('|two\nthree|');
  expect(pressed('||', 'list')).toBe('- ||');
});
