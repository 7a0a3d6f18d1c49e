import { expect, test } from 'vitest';
import { filesUnder, readSource } from './source-files.ts';

const page = 'docs/core-journeys.md';

/** A promise, the spec file and the name of a test, as a row of the page. */
const row = /^\| .+ \| `(?<file>[\w-]+\.spec\.ts)` \| (?<name>.+) \|$/gm;
const tagged =
  /\b(?:test|sharedTest)\(\s*(?<quote>['"`])(?<name>(?:(?!\k<quote>).)+)\k<quote>,\s*\{ tag: '@core' \},/g;

const named = (file: string, text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(({ groups }) => `${groups?.['file'] ?? file}: ${groups?.['name'] ?? ''}`);

const listed = named(page, readSource(page), row);
const specs = filesUnder('tests/e2e/*.ts').map((path) => ({
  file: path.replace('tests/e2e/', ''),
  text: readSource(path),
}));

test('the tests tagged @core are those that docs/core-journeys.md names, one for each promise', () => {
  expect(listed.toSorted()).toEqual(specs.flatMap(({ file, text }) => named(file, text, tagged)).toSorted());
});

test('every @core tag is written after the name of its test, where the page can be compared with it', () => {
  for (const { file, text } of specs)
    expect([file, text.split('@core').length - 1]).toEqual([file, named(file, text, tagged).length]);
});

test('there are at most 40 core journeys', () => {
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.length).toBeLessThanOrEqual(40);
});
