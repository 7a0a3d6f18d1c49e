import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hour, day } from '#base/duration.ts';
import { recordingFor } from '#web/api/queries/recording-for.suite.ts';
import { forgetLastUser, lastUser, rememberUser } from './last-user.ts';
import { lastList, rememberList } from './last-list.ts';

const anna = { id: 'anna', displayName: 'Anna' };
const ben = { id: 'ben', displayName: 'Ben' };
/** A session of exactly this length. */
function spanOf(ms: number, nowMs = Date.now()) {
  return { authTime: new Date(nowMs).toISOString(), absoluteExpiresAt: new Date(nowMs + ms).toISOString() };
}
const own = spanOf(30 * day);

/** A browser's store. */
function memory() {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => {
      texts.set(key, text);
    },
    removeItem: (key: string) => {
      texts.delete(key);
    },
    texts,
  };
}
let store = memory();

beforeEach(() => {
  store = memory();
  vi.stubGlobal('localStorage', store);
});

describe('the person signed in last', () => {
  test('is known by name and id, and nothing else of them is stored', () => {
    rememberUser({ ...anna, email: 'anna@example.org' } as typeof anna, own);
    expect(lastUser()).toEqual(anna);
    expect([...store.texts.values()].join('')).not.toContain('example.org');
  });

  test('is forgotten with the list on sign-out', () => {
    rememberUser(anna, own);
    rememberList('anna', [recordingFor('a')]);
    forgetLastUser();
    expect([lastUser(), lastList('anna'), store.texts.size]).toEqual([null, [], 0]);
  });

  test('is not remembered on a shared computer, which also forgets the person before', () => {
    rememberUser(anna, own);
    rememberList('anna', [recordingFor('a')]);
    rememberUser(ben, spanOf(12 * hour));
    expect([lastUser(), store.texts.size]).toEqual([null, 0]);
  });

  test('is forgotten once the session can’t last any longer', () => {
    rememberUser(anna, {
      authTime: new Date(Date.now() - 31 * day).toISOString(),
      absoluteExpiresAt: new Date(Date.now() - day).toISOString(),
    });
    expect(lastUser()).toBeNull();
  });

  test('is nobody where the browser refuses its store, or it holds something else', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => '{"id":5}',
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
      removeItem: () => undefined,
    });
    rememberUser(anna, own);
    expect(lastUser()).toBeNull();
  });
});

describe('the last list', () => {
  test('is shown to the person it belongs to alone', () => {
    rememberUser(anna, own);
    rememberList('anna', [recordingFor('a')]);
    expect(lastList('anna').map(({ id }) => id)).toEqual(['a']);
    expect([lastList('ben'), lastList(null)]).toEqual([[], []]);
  });

  test('goes when another person signs in', () => {
    rememberUser(anna, own);
    rememberList('anna', [recordingFor('a')]);
    rememberUser(ben, own);
    expect([...store.texts.values()].join('')).not.toContain('Anna');
    expect(lastList('anna')).toEqual([]);
  });

  test('is not stored for somebody who is not the person signed in last', () => {
    rememberUser(anna, own);
    rememberList('ben', [recordingFor('a')]);
    expect(lastList('ben')).toEqual([]);
  });
});
