import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linkPaths } from '#contract/links.ts';
import {
  filesForAll,
  filesForLanguages,
  isPagePath,
  namesOnlyFilesOf,
  pathsWithoutShell,
} from './shell-files.ts';

const file = (url: string) => ({ url, revision: null });
const build = [
  'assets/first-1.js',
  'assets/take.worker-2.js',
  'assets/language/de-3.js',
  'assets/language/de-DE-4.js',
  'assets/language/ar-5.js',
  'assets/language/ar-AE-6.js',
  '/app-shell',
  '/app-pictures/de',
  '/app-pictures/zh-Hans',
].map(file);
const urls = (files: readonly { url: string }[]) => files.map(({ url }) => url);

test('caches only the requested languages, with their component messages and prerendered pages', () => {
  expect(urls(filesForAll(build))).toEqual(['assets/first-1.js', 'assets/take.worker-2.js', '/app-shell']);
  expect(urls(filesForLanguages(build, ['de', 'en']))).toEqual([
    'assets/language/de-3.js',
    'assets/language/de-DE-4.js',
    '/app-pictures/de',
  ]);
  expect(urls(filesForLanguages(build, ['zh-Hant']))).toEqual(['/app-pictures/zh-Hans']);
});

test('recognises pages of another build, which a server answers with during an update', () => {
  const page = (script: string) =>
    `<link rel="stylesheet" href="/style.css"><script type="module" src="/assets/${script}"></script>`;
  expect(namesOnlyFilesOf(build, page('first-1.js'))).toBe(true);
  expect(namesOnlyFilesOf(build, page('first-2.js'))).toBe(false);
  expect(namesOnlyFilesOf(build, JSON.stringify({ links: page('language/de-3.js') }))).toBe(true);
  expect(namesOnlyFilesOf(build, JSON.stringify({ links: page('language/de-9.js') }))).toBe(false);
});

test('treats every URL of a screen as a page of the app, and no URL of an access gateway', async () => {
  const source = await readFile(join(import.meta.dirname, '../../web/app/paths.ts'), 'utf8');
  const screens = [...source.matchAll(/: '(\/[^']*)'/g)].map(([, path]) => path ?? '');
  expect(screens.length).toBeGreaterThan(10);
  expect([...screens, ...Object.values(linkPaths)].filter((path) => !isPagePath(path))).toEqual([]);
  for (const path of [
    '/oauth2/sign_in',
    '/oauth2/start',
    '/cdn-cgi/access/login',
    '/outpost.goauthentik.io/start',
    '/gate',
  ])
    expect([path, isPagePath(path)]).toEqual([path, false]);
});

describe('pages of the app', () => {
  const isPage = (address: string) => !pathsWithoutShell.some((pattern) => pattern.test(address));
  test.for([
    '/',
    '/library',
    '/library?search=a.b',
    '/recordings/018f-7',
    '/shared',
    '/settings/audio',
    '/apiary',
    '/salt',
    '/?lang=de',
  ])('%s is a page of the app', (address) => {
    expect(isPage(address)).toBe(true);
  });
  test.for([
    '/api/docs',
    '/api/recordings/1/audio',
    '/auth/session',
    '/healthz',
    '/readyz',
    '/metrics?x',
    '/s/abc',
    '/s',
    '/embed/abc',
    '/oembed?url=x',
    '/icon.svg',
    '/assets/x',
    '/service.worker.js',
    '/robots.txt?x=1',
  ])('%s is not a page of the app', (address) => {
    expect(isPage(address)).toBe(false);
  });
});
