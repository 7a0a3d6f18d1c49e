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

test('starts in the language of the server’s HTML', async () => {
  page.documentElement.lang = 'de';
  await startLanguage();
  expect(i18n.locale).toBe('de');
});

test('falls back to the source language if the app does not have the language', async () => {
  page.documentElement.lang = 'tlh';
  await startLanguage();
  expect([i18n.locale, page.documentElement.lang]).toEqual(['en', 'en']);
});

test('switches messages, language and direction together', async () => {
  expect(await switchLanguage('ar')).toBe(true);
  expect([i18n.locale, page.documentElement.lang, page.documentElement.dir]).toEqual(['ar', 'ar', 'rtl']);
  await switchLanguage('de');
  expect([i18n.locale, page.documentElement.lang, page.documentElement.dir]).toEqual(['de', 'de', 'ltr']);
});

test('shows the old language until the new one has loaded', async () => {
  await switchLanguage('de');
  const switching = switchLanguage('ar');
  expect([i18n.locale, page.documentElement.dir]).toEqual(['de', 'ltr']);
  await switching;
  expect(i18n.locale).toBe('ar');
});

test('lets the later of two switches win, whichever loads first', async () => {
  const [first, second] = await Promise.all([switchLanguage('ar'), switchLanguage('de')]);
  expect([first, second]).toEqual([false, true]);
  expect(i18n.locale).toBe('de');
  expect(readCookie('lang')).toBe('de');
});

test('stores only a choice, for a year and for this site', async () => {
  expect(page.cookie).toBe('');
  await switchLanguage('de');
  expect(page.cookie).toBe('lang=de; Path=/; Max-Age=31536000; SameSite=Lax');
});

test('follows a choice of another tab', async () => {
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
