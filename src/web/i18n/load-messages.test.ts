import { i18n } from '@lingui/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const loadMessages = vi.hoisted(() =>
  vi.fn<(tag: string, part: string) => Promise<Record<string, string>>>(),
);
vi.mock('./catalogues.ts', () => ({ loadMessages }));

async function freshMessages() {
  vi.resetModules();
  const loader = await import('./load-messages.ts');
  const needMessages = (part: 'accounts' | 'rest') => loader.chunkAndMessages(Promise.resolve(part), [part]);
  return {
    ...loader,
    needMessages,
    loadAll: (tag: string) => loader.withMessages(tag, Promise.resolve(), (messages) => messages),
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

test('loads every part that was needed before a switch of the language, and no other', async () => {
  const { loadAll, needMessages } = await freshMessages();
  expect(await loadAll('de')).toEqual({ first: 'first in de' });
  await needMessages('rest');
  expect(await loadAll('de')).toEqual({ first: 'first in de', rest: 'rest in de' });
});

test('loads a part that is needed while a language is loading, together with it', async () => {
  const { loadAll, needMessages } = await freshMessages();
  const switching = loadAll('de');
  const needed = needMessages('accounts');
  expect(await switching).toEqual({ first: 'first in de', accounts: 'accounts in de' });
  await needed;
});

test('loads a part that is needed while a switch waits for something other than messages', async () => {
  const { withMessages, needMessages } = await freshMessages();
  const other = Promise.withResolvers<void>();
  const switching = withMessages('de', other.promise, (messages) => {
    i18n.loadAndActivate({ locale: 'de', messages });
  });
  await vi.advanceTimersByTimeAsync(0);
  await needMessages('rest');
  expect(i18n.messages['rest']).toBe('rest in en');
  other.resolve();
  await switching;
  expect(i18n.messages).toEqual({ first: 'first in de', rest: 'rest in de' });
});

test('loads a part in the current language if the language was switched while it was loading', async () => {
  const { needMessages } = await freshMessages();
  loadMessages.mockImplementation(async (tag, part) => {
    if (tag === 'en') i18n.loadAndActivate({ locale: 'de', messages: {} });
    return { [part]: `${part} in ${tag}` };
  });
  await needMessages('rest');
  expect(i18n.messages['rest']).toBe('rest in de');
});

test('waits for the first language before it loads a part', async () => {
  const { loadAll, needMessages } = await freshMessages();
  i18n.activate('');
  const needed = needMessages('rest');
  const messages = await loadAll('de');
  expect(messages).toEqual({ first: 'first in de', rest: 'rest in de' });
  i18n.loadAndActivate({ locale: 'de', messages });
  await needed;
  expect(loadMessages.mock.calls.map(([tag]) => tag)).not.toContain('');
});

test('loads a chunk with its messages, and each part once', async () => {
  const { chunkAndMessages } = await freshMessages();
  expect(await chunkAndMessages(Promise.resolve('page'), ['rest', 'accounts'])).toBe('page');
  expect(await chunkAndMessages(Promise.resolve('dialog'), ['rest'])).toBe('dialog');
  expect(loadMessages.mock.calls).toEqual([
    ['en', 'rest'],
    ['en', 'accounts'],
  ]);
});

test('does not rerender when messages arrive, because nothing on the screen uses them yet', async () => {
  const { needMessages } = await freshMessages();
  const changed = vi.fn<() => void>();
  const stop = i18n.on('change', changed);
  await needMessages('rest');
  stop();
  expect(i18n.messages['rest']).toBe('rest in en');
  expect(changed).not.toHaveBeenCalled();
});

test('rejects without waiting for messages if the chunk does not load', async () => {
  const { chunkAndMessages } = await freshMessages();
  loadMessages.mockReturnValue(new Promise(() => undefined));
  await expect(chunkAndMessages(Promise.reject(new TypeError('Failed to fetch')), ['rest'])).rejects.toThrow(
    'Failed to fetch',
  );
});

test('retries until the messages have loaded', async () => {
  const { needMessages } = await freshMessages();
  loadMessages
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const needed = needMessages('rest');
  await vi.advanceTimersByTimeAsync(10_000);
  await needed;
  expect(i18n.messages['rest']).toBe('rest in en');
});
