import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isFiltered,
  parseView,
  printView,
  sorts,
  wholeLibrary,
  withoutFilters,
  type LibraryView,
} from './library-view.ts';
import { firstDayOf, periods } from './periods.ts';

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const view: fc.Arbitrary<LibraryView> = fc
  .record({
    search: fc.string({ maxLength: 20, unit: 'grapheme' }).map((text) => text.trim()),
    sort: fc.constantFrom(...sorts),
    period: fc.option(fc.constantFrom(...periods)),
    from: fc.option(day),
    to: fc.option(day),
    minMs: fc.option(fc.nat()),
    maxMs: fc.option(fc.nat()),
    states: fc.subarray<LibraryView['states'][number]>([
      'receiving',
      'finishing',
      'ready',
      'abandoned',
      'failed',
    ]),
    source: fc.option(fc.constantFrom('microphone', 'import')),
    isFavourite: fc.boolean(),
    language: fc.option(fc.constantFrom('de', 'pt-BR', 'und', 'zh-Hant')),
    tagIds: fc.uniqueArray(fc.uuid(), { maxLength: 4 }),
  })
  .map((made) => (made.period === null ? made : { ...made, from: null, to: null }));

describe('the view in the URL', () => {
  test('is parsed as it was formatted', () => {
    fc.assert(
      fc.property(view, (made) => {
        expect(parseView(printView(made))).toEqual(made);
      }),
    );
  });

  test('is empty for the whole library', () => {
    expect(printView(wholeLibrary)).toBe('');
    expect(parseView('')).toEqual(wholeLibrary);
  });

  test('ignores invalid values and never throws', () => {
    expect(
      parseView(
        'sort=loudest&period=century&from=2026-13-99&minMs=-4&state=gone,ready&source=tape&language=%F0%9F%8E%99&tag=1,2',
      ),
    ).toEqual({ ...wholeLibrary, states: ['ready'] });
    fc.assert(
      fc.property(fc.string(), (query) => {
        parseView(query);
      }),
    );
  });

  test('is filtered by everything except its order and search', () => {
    fc.assert(
      fc.property(view, (made) => {
        expect(isFiltered(withoutFilters(made))).toBe(false);
        expect(isFiltered({ ...made, source: 'import' })).toBe(true);
      }),
    );
  });
});

test('starts periods on a calendar day of the device', () => {
  const now = new Date(2026, 2, 3, 0, 30);
  expect(periods.map((period) => firstDayOf(period, now))).toEqual([
    '2026-03-03',
    '2026-02-25',
    '2026-03-01',
    '2026-01-01',
  ]);
});
