import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnPathOf } from './return-path.ts';

const origin = 'https://ear.example';

test('returns a browser to its previous page, with query and fragment', () => {
  for (const path of [
    '/',
    '/library',
    '/library?search=a%20b&sort=title',
    '/recordings/018f#t=83.5,90',
    '/settings/audio',
  ])
    expect(returnPathOf(path)).toBe(path);
});

test.each([
  'https://evil.example/',
  '//evil.example',
  String.raw`/\evil.example`,
  String.raw`\\evil.example`,
  '/\t/evil.example',
  '/\n//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/../..//evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  'library',
  '',
  ' //evil.example',
  '/https://evil.example',
  '/api/exports/zip/x',
  '/auth/return?to=/',
  '/assets/x.js',
  `/${'a'.repeat(3000)}`,
  null,
])('%j leads to the recorder', (to) => {
  expect(returnPathOf(to)).toBe('/');
});

test('keeps a browser on this origin, whatever the address contains', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '%2f',
      '%5c',
      '?',
      '#',
      '\t',
      '\n',
      'evil.example',
      'https:',
    ),
    fc.string({ maxLength: 4, unit: 'binary' }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      (to) => {
        for (const given of [to, `/${to}`]) {
          const path = returnPathOf(given);
          expect(path).toMatch(/^\/(?![/\\])/);
          expect(new URL(path, origin).origin).toBe(origin);
          // A header cannot contain other characters.
          // eslint-disable-next-line no-control-regex
          expect(path).toMatch(/^[\x21-\x7e]*$/);
        }
      },
    ),
    { numRuns: 3000 },
  );
});
