import { expect, test } from 'vitest';
import { checksOfStaged } from './check.ts';

const staged = (changed: string[], removed: string[] = []): Record<string, string> =>
  Object.fromEntries(
    checksOfStaged({ changed, removed }).map(({ name, command }) => [name, command.join(' ')]),
  );

test('only the staged files are linted, formatted and searched for retired words; types are checked as a whole', () => {
  expect(staged(['src/base/ids.ts'])).toEqual({
    types: 'tsc -b',
    lint: 'oxlint --type-aware src/base/ids.ts',
    format: 'oxfmt --check --no-error-on-unmatched-pattern src/base/ids.ts',
    'retired words': 'node scripts/retired-words.ts src/base/ids.ts',
  });
});

test('a style sheet needs no types, and a page has its links checked', () => {
  expect(Object.keys(staged(['src/web/ui/a.css']))).toEqual(['styles', 'format', 'retired words']);
  expect(staged(['docs/voice.md'])).toMatchObject({
    links: 'node scripts/markdown-links.ts docs/voice.md',
  });
});

test('a file that is removed has the links of every page checked, and is given to no check', () => {
  expect(staged([], ['docs/voice.md'])).toEqual({ links: 'node scripts/markdown-links.ts' });
});

test('a journey or its page is compared with the other', () => {
  expect(staged(['tests/e2e/tabs.spec.ts'])).toHaveProperty('core journeys');
  expect(staged(['docs/core-journeys.md'])).toHaveProperty('core journeys');
});

test('nothing is checked if nothing is staged', () => {
  expect(staged([])).toEqual({});
});
