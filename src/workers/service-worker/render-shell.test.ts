import { expect, test } from 'vitest';
import { locales } from '#contract/locales.ts';
import { renderStoredShell } from './render-shell.ts';

const localeOf = (tag: string) => locales.find((locale) => locale.tag === tag) ?? locales[0];
const [german, arabic] = [localeOf('de'), localeOf('ar')];
const storedPage = () =>
  new Response(
    '<!doctype html>\n<html lang="en" dir="ltr">\n<head>\n<meta charset="utf-8">\n<meta property="csp-nonce" content="b2xk" nonce="b2xk"></head><body><div id="root"></div></body></html>',
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "script-src 'self'; style-src 'self' 'nonce-b2xk'",
        'content-length': '7',
      },
    },
  );

test('renders a cached page in the current language, direction and theme', async () => {
  const text = await (
    await renderStoredShell(storedPage(), { locale: arabic, theme: 'dark', nonce: 'bmV3', parts: null })
  ).text();
  expect(text).toContain('<html lang="ar" dir="rtl" data-theme="dark">');
  expect(
    await (
      await renderStoredShell(storedPage(), { locale: german, theme: null, nonce: 'bmV3', parts: null })
    ).text(),
  ).toContain('<html lang="de" dir="ltr">');
});

test('uses a new nonce in both the page and its policy', async () => {
  const page = await renderStoredShell(storedPage(), {
    locale: german,
    theme: null,
    nonce: 'bmV3',
    parts: null,
  });
  expect(page.headers.get('content-security-policy')).toBe(
    "script-src 'self'; style-src 'self' 'nonce-bmV3'",
  );
  const text = await page.text();
  expect(text).toContain('content="bmV3" nonce="bmV3"');
  expect(text).not.toContain('b2xk');
});

test('drops headers that describe the original response body', async () => {
  const page = await renderStoredShell(storedPage(), {
    locale: german,
    theme: null,
    nonce: 'bmV3',
    parts: null,
  });
  expect(page.headers.get('content-length')).toBe(null);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('includes the prerendered page when it is cached', async () => {
  const parts = {
    links: '<link href="/library.css">\n<link href="/de.js">\n',
    root: '<div id="root"><p>$& Bild</p></div>',
  };
  const text = await (
    await renderStoredShell(storedPage(), { locale: german, theme: null, nonce: 'bmV3', parts })
  ).text();
  expect(text).toContain('nonce="bmV3"><link href="/library.css">\n<link href="/de.js">\n</head>');
  expect(text).toContain('<body><div id="root"><p>$& Bild</p></div></body>');
});
