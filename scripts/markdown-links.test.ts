import { expect, test } from 'vitest';
import { anchorsIn, brokenLink, namedPathsIn, relativeLinksIn } from './markdown-links.ts';

const pages: Record<string, string> = {
  'README.md': '# Earshot',
  'docs/guide.md': '# Guide\n\n## Back up & restore\n\n```sh\n# not a heading\n```\n\n## Notes\n\n## Notes\n',
};
const files = { exists: (path: string) => path in pages, read: (path: string) => pages[path] ?? '' };
const inGuide = (target: string) => brokenLink({ file: 'docs/guide.md', target }, files);

test('reads relative links and images, and leaves out code and other sites', () => {
  expect(
    relativeLinksIn(
      '[a](a.md) ![b](b.png) [c](https://c.example) [d](#d) `[e](e.md)`\n```\n[f](f.md)\n```\n',
    ),
  ).toEqual(['a.md', 'b.png', '#d']);
});

test('reads the files and folders that a page names, and leaves out patterns', () => {
  expect(namedPathsIn('`src/a.ts`, `tests/e2e`, `src/**/*.test.ts`, `a.ts`, `npm run src/b.ts`')).toEqual([
    'src/a.ts',
    'tests/e2e',
  ]);
});

test('generates the anchors of headings as GitHub does', () => {
  expect([...anchorsIn(pages['docs/guide.md'] ?? '')]).toEqual([
    'guide',
    'back-up--restore',
    'notes',
    'notes-1',
  ]);
});

test('accepts links to files and headings that exist', () => {
  expect(['../README.md', '../README.md#earshot', '#notes-1'].map(inGuide)).toEqual([null, null, null]);
});

test('reports a missing file and a missing heading', () => {
  expect([inGuide('other.md'), inGuide('#backup')]).toEqual([
    'docs/guide.md: other.md does not exist',
    'docs/guide.md: #backup has no such heading',
  ]);
});
