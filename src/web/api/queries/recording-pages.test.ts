import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Recording, RecordingPage } from '#contract/recordings.ts';
import { flattenPages, fitPage } from './recording-pages.ts';
import { recordingFor } from './recording-for.suite.ts';

const page = (ids: string, nextCursor: string | null): RecordingPage => ({
  items: ids.split('').map((id): Recording => recordingFor(id)),
  nextCursor,
  total: null,
});
const idsOf = (pages: RecordingPage[]) =>
  flattenPages(pages)
    .map(({ id }) => id)
    .join('');
const letters = 'abcdefghi'.split('');

describe('a refetched page', () => {
  test('takes in new recordings and leaves the next page unchanged', () => {
    const [old, next] = [page('abc', '>c'), page('def', null)];
    const fitted = fitPage(page('xabcde', '>e'), old, [next]);
    expect(idsOf([fitted])).toBe('xabc');
    expect(fitted.nextCursor).toBe('>c');
    expect(idsOf([fitted, next])).toBe('xabcdef');
  });

  test('loses deleted recordings', () => {
    expect(idsOf([fitPage(page('acdef', null), page('abc', '>c'), [page('def', null)])])).toBe('ac');
  });

  test('shows a recording that moved up from a later page once, at its new place', () => {
    const next = page('def', null);
    expect(idsOf([fitPage(page('eabcdf', null), page('abc', '>c'), [next]), next])).toBe('eabcdf');
  });

  test('stays as it is if so many recordings are new that it does not reach the next page', () => {
    const fitted = fitPage(page('uvwxyz', '>z'), page('abc', '>c'), [page('def', null)]);
    expect([idsOf([fitted]), fitted.nextCursor]).toEqual(['uvwxyz', '>z']);
  });

  test('makes the whole list right again, whatever was removed from it', () => {
    fc.assert(
      fc.property(fc.subarray(letters), (gone) => {
        const pages = [page('abc', '>c'), page('def', '>f'), page('ghi', null)];
        const left = letters.filter((id) => !gone.includes(id));
        const readAgain = pages.map((old, index) => {
          const from = letters.indexOf('adg'[index] ?? '');
          const rest = left.filter((id) => letters.indexOf(id) >= from).slice(0, 6);
          return fitPage(page(rest.join(''), null), old, pages.slice(index + 1));
        });
        expect(idsOf(readAgain)).toBe(left.join(''));
      }),
    );
  });
});
