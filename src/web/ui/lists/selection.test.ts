import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptySelection, exactly, extended, toggled, type Selection } from './selection.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const chosen = (selection: Selection) => ids.filter((id) => selection.chosen.has(id)).join('');

describe('a selection', () => {
  test('adds an item and removes it again', () => {
    const one = toggled(emptySelection, 'b');
    expect(chosen(one)).toBe('b');
    expect(chosen(toggled(one, 'b'))).toBe('');
  });

  test('extends with Shift from the last selected item, in either direction', () => {
    const from = toggled(emptySelection, 'c');
    expect(chosen(extended(from, ids, 'e'))).toBe('cde');
    expect(chosen(extended(from, ids, 'a'))).toBe('abc');
  });

  test('shrinks a range with Shift and keeps what was selected before', () => {
    const before = toggled(toggled(emptySelection, 'a'), 'c');
    const far = extended(before, ids, 'f');
    expect(chosen(far)).toBe('acdef');
    expect(chosen(extended(far, ids, 'd'))).toBe('acd');
  });

  test('starts a range at its end if nothing was selected', () => {
    expect(chosen(extended(emptySelection, ids, 'd'))).toBe('d');
  });

  test('starts again if the anchor has left the list', () => {
    expect(chosen(extended(toggled(emptySelection, 'gone'), ids, 'd'))).toBe('d');
  });

  test('is exactly what it is set to', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ids)), (wanted) => {
        expect([...exactly(wanted).chosen].toSorted()).toEqual([...new Set(wanted)].toSorted());
      }),
    );
  });
});
