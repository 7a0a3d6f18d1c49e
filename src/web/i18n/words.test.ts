import { i18n } from '@lingui/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const loadMessages = vi.hoisted(() =>
  vi.fn<(tag: string, part: string) => Promise<Record<string, string>>>(),
);
vi.mock('./catalogues.ts', () => ({ loadMessages }));

async function freshWords() {
  vi.resetModules();
  const words = await import('./words.ts');
  const needWords = (part: 'accounts' | 'rest') => words.chunkAndWords(Promise.resolve(part), [part]);
  return {
    ...words,
    needWords,
    loadWords: (tag: string) => words.withWords(tag, Promise.resolve(), (messages) => messages),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  loadMessages.mockReset();
  loadMessages.mockImplementation(async (tag, part) => ({ [part]: `${part} in ${tag}` }));
  i18n.loadAndActivate({ locale: 'en', messages: {} });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a switch brings every part that was needed before it, and no other', async () => {
  const { loadWords, needWords } = await freshWords();
  expect(await loadWords('de')).toEqual({ first: 'first in de' });
  await needWords('rest');
  expect(await loadWords('de')).toEqual({ first: 'first in de', rest: 'rest in de' });
});

test('a part that is needed while a language arrives comes with it', async () => {
  const { loadWords, needWords } = await freshWords();
  const switching = loadWords('de');
  const needed = needWords('accounts');
  expect(await switching).toEqual({ first: 'first in de', accounts: 'accounts in de' });
  await needed;
});

test('a part that is needed when all words are there, but the switch still waits for something else, comes with it too', async () => {
  const { withWords, needWords } = await freshWords();
  const other = Promise.withResolvers<void>();
  const switching = withWords('de', other.promise, (messages) => {
    i18n.loadAndActivate({ locale: 'de', messages });
  });
  await vi.advanceTimersByTimeAsync(0);
  await needWords('rest');
  expect(i18n.messages['rest']).toBe('rest in en');
  other.resolve();
  await switching;
  expect(i18n.messages).toEqual({ first: 'first in de', rest: 'rest in de' });
});

test('a part that was asked for in a language that is no longer shown comes in the one that is', async () => {
  const { needWords } = await freshWords();
  loadMessages.mockImplementation(async (tag, part) => {
    if (tag === 'en') i18n.loadAndActivate({ locale: 'de', messages: {} });
    return { [part]: `${part} in ${tag}` };
  });
  await needWords('rest');
  expect(i18n.messages['rest']).toBe('rest in de');
});

test('a part that is needed before any language is shown waits for the first one', async () => {
  const { loadWords, needWords } = await freshWords();
  i18n.activate('');
  const needed = needWords('rest');
  const messages = await loadWords('de');
  expect(messages).toEqual({ first: 'first in de', rest: 'rest in de' });
  i18n.loadAndActivate({ locale: 'de', messages });
  await needed;
  expect(loadMessages.mock.calls.map(([tag]) => tag)).not.toContain('');
});

test('a chunk comes with its words, which are fetched once', async () => {
  const { chunkAndWords } = await freshWords();
  expect(await chunkAndWords(Promise.resolve('page'), ['rest', 'accounts'])).toBe('page');
  expect(await chunkAndWords(Promise.resolve('dialog'), ['rest'])).toBe('dialog');
  expect(loadMessages.mock.calls).toEqual([
    ['en', 'rest'],
    ['en', 'accounts'],
  ]);
});

test('words that come later have nothing drawn again: nothing on the screen says them', async () => {
  const { needWords } = await freshWords();
  const changed = vi.fn<() => void>();
  const stop = i18n.on('change', changed);
  await needWords('rest');
  stop();
  expect(i18n.messages['rest']).toBe('rest in en');
  expect(changed).not.toHaveBeenCalled();
});

test('a chunk that cannot be fetched is not waited for', async () => {
  const { chunkAndWords } = await freshWords();
  loadMessages.mockReturnValue(new Promise(() => undefined));
  await expect(chunkAndWords(Promise.reject(new TypeError('Failed to fetch')), ['rest'])).rejects.toThrow(
    'Failed to fetch',
  );
});

test('words that cannot be fetched are waited for', async () => {
  const { needWords } = await freshWords();
  loadMessages
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const needed = needWords('rest');
  await vi.advanceTimersByTimeAsync(10_000);
  await needed;
  expect(i18n.messages['rest']).toBe('rest in en');
});
