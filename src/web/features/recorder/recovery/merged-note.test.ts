import { expect, test } from 'vitest';
import { mergedNoteText } from './merged-note.ts';

test('replaces the text of a note that was not changed elsewhere', () => {
  expect(mergedNoteText('one', 'one', 'one two')).toBe('one two');
});

test('appends the new text to a note that was changed elsewhere', () => {
  expect(mergedNoteText('theirs', 'one', 'one two')).toBe('theirs\n\none two');
});

test('is idempotent, and later replaces only the part that this device wrote', () => {
  const merged = mergedNoteText('theirs', 'one', 'one two');
  expect(mergedNoteText(merged, 'one', 'one two')).toBe(merged);
  expect(mergedNoteText(merged, 'one two', 'three')).toBe('theirs\n\nthree');
  expect(mergedNoteText('three', 'one two', 'three')).toBe('three');
});
