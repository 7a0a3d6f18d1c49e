import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { PagePictures } from '#contract/page-pictures.ts';
import { createApp } from '#server/http/app.ts';
import { mountWebApp } from './web-app.ts';

const aria = '../../node_modules/react-aria-components/i18n/de-DE.mjs';
const manifest = {
  '../../locales/de.po?first?lingui': {
    file: 'assets/language/de-first-1.js',
    dynamicImports: ['../../locales/de.po?rest?lingui', aria],
  },
  '../../locales/de.po?rest?lingui': { file: 'assets/language/de-rest-1.js' },
  [aria]: { file: 'assets/language/de-DE-1.js' },
  '../../locales/de.po?library?lingui': { file: 'assets/language/de-library-1.js' },
  '../../locales/ar.po?library?lingui': { file: 'assets/language/ar-library-1.js' },
  'app/prerender/fill-picture.ts': { file: 'assets/filling-1.js', imports: ['_first-1.js'] },
  'app/main.tsx': { file: 'assets/first-1.js', css: ['assets/first-1.css'] },
  '_first-1.js': { file: 'assets/first-1.js' },
  '_controls-1.js': {
    file: 'assets/controls-1.js',
    css: ['assets/controls-1.css'],
    imports: ['_first-1.js'],
  },
  'app/pages/trash-page.tsx': {
    file: 'assets/trash-page-1.js',
    css: ['assets/trash-page-1.css'],
    imports: ['_first-1.js'],
  },
  'app/pages/library-page.tsx': {
    file: 'assets/library-page-1.js',
    css: ['assets/library-page-1.css'],
    imports: ['_first-1.js', '_controls-1.js', 'app/prerender/fill-picture.ts'],
  },
};

async function builtApp() {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-page-'));
  await mkdir(join(directory, '.vite'));
  await writeFile(
    join(directory, 'index.html'),
    '<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n<meta property="csp-nonce" content="">\n<script type="module" crossorigin src="/assets/first-1.js"></script>\n</head><body>\n<div id="root"></div>\n</body></html>',
  );
  await writeFile(
    join(directory, '.vite', 'prerendered.json'),
    JSON.stringify({ de: { library: '<h1>Bibliothek</h1>', 'load-error': '<h1>Das ging nicht</h1>' } }),
  );
  await writeFile(join(directory, 'service.worker.js'), 'self;');
  await writeFile(
    join(directory, 'manifest.webmanifest'),
    JSON.stringify({ name: 'Earshot', shortcuts: [{ name: 'Record', url: '/' }] }),
  );
  await writeFile(join(directory, '.vite', 'manifest.json'), JSON.stringify(manifest));
  const app = createApp({
    routes: [],
    identify: { session: async () => null, uploadCapability: async () => null },
    config: { publicUrl: 'http://localhost:3000', trustedProxyHops: 0 },
    plugins: [(scope) => mountWebApp(scope, directory)],
  });
  onTestFinished(async () => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  });
  return app;
}

test('the page for offline use is the same for all users: no language, theme, catalogue or Vary', async () => {
  const app = await builtApp();
  const shellFor = async (headers: Record<string, string>) => {
    const { body, headers: given } = await app.inject({ url: '/app-shell', headers });
    expect(given.vary).toBeUndefined();
    const nonce = /csp-nonce" content="([^"]+)"/.exec(body)?.[1] ?? '';
    expect(given['content-security-policy']).toContain(`'nonce-${nonce}'`);
    return body.replaceAll(nonce, '');
  };
  const mine = await shellFor({ 'accept-language': 'de', cookie: 'lang=ar; theme=dark' });
  expect(mine).toContain('<html lang="en" dir="ltr">');
  expect(mine).not.toContain('modulepreload');
  expect(await shellFor({})).toBe(mine);
});

test('the service worker is always revalidated, may control the whole site, and its policy lets it run', async () => {
  const { headers } = await (await builtApp()).inject('/service.worker.js');
  expect(headers['cache-control']).toBe('no-cache');
  expect(headers['content-type']).toContain('javascript');
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(headers['content-security-policy']).not.toContain('sandbox');
});

test('the web manifest has its media type and lists shortcuts in the visitor’s language', async () => {
  const app = await builtApp();
  const manifestIn = async (language: string) =>
    app.inject({ url: '/manifest.webmanifest', headers: { 'accept-language': language } });
  const { headers, body } = await manifestIn('ar-EG');
  expect(headers['content-type']).toContain('application/manifest+json');
  expect(headers.vary).toContain('Accept-Language');
  expect(JSON.parse(body)).toMatchObject({ name: 'Earshot', lang: 'ar', dir: 'rtl' });
  expect(JSON.parse((await manifestIn('en')).body)).toMatchObject({
    lang: 'en',
    dir: 'ltr',
    shortcuts: [{ name: 'New recording', url: '/' }],
  });
});

test('the page preloads the first screen’s messages in its own language and no other', async () => {
  const app = await builtApp();
  const { body } = await app.inject({ url: '/', headers: { 'accept-language': 'de' } });
  const preloaded = [...body.matchAll(/modulepreload"[^>]* href="(\/assets\/language[^"]+)"/g)].map(
    ([, href]) => href,
  );
  expect(preloaded).toEqual(['/assets/language/de-first-1.js', '/assets/language/de-DE-1.js']);
});

test('a page’s styles load with it; its messages and scripts load once the prerendered HTML is complete', async () => {
  const app = await builtApp();
  const linksIn = (html: string) =>
    [...html.matchAll(/<link rel="(\w+)"[^>]* href="([^"]+)"/g)].map(([, rel, href]) => `${rel} ${href}`);
  const linksOf = async (url: string) => {
    const { body } = await app.inject({ url, headers: { 'accept-language': 'de' } });
    const [, now = '', later = ''] =
      /<script(.*?)<template class="after-picture">(.*?)<\/template>/s.exec(body) ?? [];
    return { now: linksIn(now), later: linksIn(later) };
  };
  const messages = [
    'modulepreload /assets/language/de-first-1.js',
    'modulepreload /assets/language/de-DE-1.js',
  ];
  expect(await linksOf('/library?tag=a')).toEqual({
    now: [
      'stylesheet /assets/first-1.css',
      'stylesheet /assets/library-page-1.css',
      'stylesheet /assets/controls-1.css',
      'modulepreload /assets/filling-1.js',
    ],
    later: [
      ...messages,
      'modulepreload /assets/language/de-library-1.js',
      'modulepreload /assets/language/de-rest-1.js',
      'modulepreload /assets/library-page-1.js',
      'modulepreload /assets/controls-1.js',
    ],
  });
  expect(await linksOf('/trash')).toEqual({
    now: ['stylesheet /assets/first-1.css', 'stylesheet /assets/trash-page-1.css'],
    later: [
      ...messages,
      'modulepreload /assets/language/de-library-1.js',
      'modulepreload /assets/language/de-rest-1.js',
      'modulepreload /assets/trash-page-1.js',
    ],
  });
  expect(await linksOf('/')).toEqual({ now: ['stylesheet /assets/first-1.css'], later: messages });
  expect(linksIn((await app.inject('/app-shell')).body.split('<script')[1] ?? '')).toEqual([
    'stylesheet /assets/first-1.css',
  ]);
});

test('a page has inert prerendered HTML in the visitor’s language, and a message for when the app cannot load', async () => {
  const app = await builtApp();
  const pageOf = async (url: string, language = 'de') =>
    (await app.inject({ url, headers: { 'accept-language': language } })).body;
  expect(await pageOf('/library')).toContain(
    '<div id="root"><div data-prerendered="library" inert aria-hidden="true"><h1>Bibliothek</h1></div></div>',
  );
  expect(await pageOf('/library')).toContain('<template id="load-error"><h1>Das ging nicht</h1></template>');
  for (const url of ['/', '/app-shell', '/no/such/page'])
    expect(await pageOf(url)).toContain('<div id="root"></div>');
  expect(await pageOf('/library', 'fr')).toContain('<div id="root"></div>');
});

test('compresses a page for clients that accept Brotli, and caches keep both variants apart', async () => {
  const app = await builtApp();
  const plain = await app.inject({ url: '/library' });
  const small = await app.inject({ url: '/library', headers: { 'accept-encoding': 'gzip, deflate, br' } });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(
    (await app.inject({ url: '/library', headers: { 'accept-encoding': 'br;q=0, gzip' } })).headers[
      'content-encoding'
    ],
  ).toBeUndefined();
  expect(small.headers['content-encoding']).toBe('br');
  expect(small.headers.vary).toContain('Accept-Encoding');
  const nonceless = (html: string) => html.replaceAll(/nonce="[^"]+"|content="[A-Za-z0-9+/]{22}=="/g, '');
  expect(nonceless(brotliDecompressSync(small.rawPayload).toString())).toBe(nonceless(plain.body));
});

test('the cached shell plus a page’s cached start in a language equals the page from the server', async () => {
  const app = await builtApp();
  const { body, headers } = await app.inject('/app-pictures/de');
  expect(headers['content-type']).toContain('application/json');
  const { pages, others }: PagePictures = JSON.parse(body);
  const shell = (await app.inject('/app-shell')).body;
  const bare = (html: string) =>
    html.replaceAll(/nonce="[^"]+"|content="[A-Za-z0-9+/]{22}=="/g, '').replace(/<html[^>]*>/, '');
  for (const path of ['/library', '/trash', '/no/such/page']) {
    const { links, root } = pages.find(({ address }) => new RegExp(address).test(path)) ?? others;
    const opened = shell.replace('</head>', `${links}</head>`).replace('<div id="root"></div>', root);
    expect(bare(opened)).toBe(
      bare((await app.inject({ url: path, headers: { 'accept-language': 'de' } })).body),
    );
  }
  expect((await app.inject('/app-pictures/tlh')).statusCode).toBe(404);
});

test('a path of a shared recording is never a page of the app, no index stores it, and no link passes it on', async () => {
  const app = await builtApp();
  for (const url of ['/s/abc', '/%73/abc', '/s', '/embed/abc/', '/oembed?url=/s/abc', '/s%2fabc']) {
    const { statusCode, headers } = await app.inject({ url, headers: { accept: 'text/html' } });
    expect([url, statusCode, headers['x-robots-tag'], headers['referrer-policy']]).toEqual([
      url,
      404,
      'noindex, nofollow, noarchive, nosnippet',
      'no-referrer',
    ]);
  }
  for (const url of ['/', '/settings', '/salt']) {
    const { statusCode, headers } = await app.inject({ url, headers: { accept: 'text/html' } });
    expect([url, statusCode, headers['x-robots-tag']]).toEqual([url, 200, undefined]);
  }
});

test('S14: a URL below /api is never a page, however it is spelt', async () => {
  const app = await builtApp();
  for (const url of [
    '/api/nothing',
    '/%61pi/nothing',
    '/api%2Fnothing',
    '/%61ssets/nothing.js',
    '/auth/%6eothing',
  ]) {
    const { statusCode, headers } = await app.inject(url);
    expect([url, statusCode, headers['cache-control'], headers['content-type']]).toEqual([
      url,
      404,
      'no-store',
      expect.stringContaining('application/problem+json'),
    ]);
  }
});
