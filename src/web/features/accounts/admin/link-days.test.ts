import { expect, test } from 'vitest';
import { readLinkDays } from './link-days.ts';

test('reads whole days in any digits, and an empty longest time as no limit', () => {
  expect(readLinkDays({ usual: '٣٠', longest: ' 90 ' }).days).toEqual({ defaultDays: 30, longestDays: 90 });
  expect(readLinkDays({ usual: '30', longest: '' }).days).toEqual({ defaultDays: 30, longestDays: null });
});

test.each([
  ['', '90', 'isDefaultWrong'],
  ['0', '90', 'isDefaultWrong'],
  ['91', '90', 'isDefaultWrong'],
  ['30', 'x', 'isLongestWrong'],
])('rejects “%s” days with a longest time of “%s”', (usual, longest, wrong) => {
  expect(readLinkDays({ usual, longest })).toEqual({
    days: null,
    isDefaultWrong: wrong === 'isDefaultWrong',
    isMaxWrong: wrong === 'isLongestWrong',
  });
});
