import { beforeEach, expect, test, vi } from 'vitest';
import { i18n } from '@lingui/core';
import { readCookie } from './preferences.ts';
import { startLanguage, switchLanguage } from './switch-language.ts';

const page = { documentElement: { lang: 'en', dir: 'ltr' }, cookie: '' };

beforeEach(async () => {
  page.documentElement = { lang: 'en', dir: 'ltr' };
  page.cookie = '';
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol: 'http:' });
  vi.stubGlobal('window', globalThis);
  await startLanguage();
});

test('the page begins in the language the server wrote on it', async () => {
  page.documentElement.lang = 'de';
  await startLanguage();
  expect(i18n.locale).toBe('de');
});

test('a language the app does not ship becomes the source language', async () => {
  page.documentElement.lang = 'tlh';
  await startLanguage();
  expect([i18n.locale, page.documentElement.lang]).toEqual(['en', 'en']);
});

test('a switch changes messages, language and direction together', async () => {
  expect(await switchLanguage('ar')).toBe(true);
  expect([i18n.locale, page.documentElement.lang, page.documentElement.dir]).toEqual(['ar', 'ar', 'rtl']);
  await switchLanguage('de');
  expect([i18n.locale, page.documentElement.lang, page.documentElement.dir]).toEqual(['de', 'de', 'ltr']);
});

test('the old language stays until the new one is there', async () => {
  await switchLanguage('de');
  const switching = switchLanguage('ar');
  expect([i18n.locale, page.documentElement.dir]).toEqual(['de', 'ltr']);
  await switching;
  expect(i18n.locale).toBe('ar');
});

test('of two switches the later one wins, whichever arrives first', async () => {
  const [first, second] = await Promise.all([switchLanguage('ar'), switchLanguage('de')]);
  expect([first, second]).toEqual([false, true]);
  expect(i18n.locale).toBe('de');
  expect(readCookie('lang')).toBe('de');
});

test('only a choice is remembered, for a year and for this site', async () => {
  expect(page.cookie).toBe('');
  await switchLanguage('de');
  expect(page.cookie).toBe('lang=de; Path=/; Max-Age=31536000; SameSite=Lax');
});

test('other tabs follow a choice', async () => {
  const other = new BroadcastChannel('preferences');
  const heard = new Promise((resolve) => {
    other.addEventListener('message', (event: MessageEvent<unknown>) => resolve(event.data));
  });
  await switchLanguage('ar');
  expect(await heard).toEqual({ kind: 'language', value: 'ar' });
  const followed = new Promise((resolve) => {
    i18n.on('change', () => resolve(i18n.locale));
  });
  other.postMessage({ kind: 'language', value: 'de' });
  expect(await followed).toBe('de');
  other.close();
});
