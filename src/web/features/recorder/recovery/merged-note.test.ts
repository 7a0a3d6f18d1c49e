import { expect, test } from 'vitest';
import { mergedNoteText } from './merged-note.ts';

test('a note that nobody changed elsewhere gets the new text', () => {
  expect(mergedNoteText('one', 'one', 'one two')).toBe('one two');
});

test('a note that was changed elsewhere has both texts', () => {
  expect(mergedNoteText('theirs', 'one', 'one two')).toBe('theirs\n\none two');
});

test('sending again after a lost answer changes nothing, and later text replaces only the part of this device', () => {
  const merged = mergedNoteText('theirs', 'one', 'one two');
  expect(mergedNoteText(merged, 'one', 'one two')).toBe(merged);
  expect(mergedNoteText(merged, 'one two', 'three')).toBe('theirs\n\nthree');
  expect(mergedNoteText('three', 'one two', 'three')).toBe('three');
});
