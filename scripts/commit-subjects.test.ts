import { expect, test } from 'vitest';
import { findingIn } from './commit-subjects.ts';

test('a conventional subject of at most 72 characters is accepted', () => {
  for (const subject of [
    'feat(session): end what the page knows of a user',
    'style: format with oxfmt',
    'fix!: x1',
  ])
    expect(findingIn(subject)).toBe(null);
});

test('a longer or unconventional subject is rejected', () => {
  expect(findingIn(`fix: ${'a'.repeat(68)}`)).toBe('73 characters, at most 72');
  for (const subject of [
    'Fix the build',
    'fix: Fix the build',
    'fix: mend the build.',
    'wip',
    'fixes(x): y1',
  ])
    expect(findingIn(subject)).not.toBe(null);
});
