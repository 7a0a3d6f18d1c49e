import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hour, day } from '#base/duration.ts';
import { momentOf } from '#base/recorded-time/recorded-time.ts';
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

/** An in-memory localStorage. */
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

/** Recordings of July 2026, z the newest, in a list of `total`. */
const newest = (letters: string, total: number | null = letters.length) => ({
  recordings: letters.split('').map((letter) => ({
    ...recordingFor(letter),
    recordedTime: momentOf(
      `2026-07-${String(letter.charCodeAt(0) - 96).padStart(2, '0')}T10:00:00.000Z`,
      null,
    ),
  })),
  total,
});
const listed = () => {
  const { recordings, isWhole } = lastList('anna');
  return [recordings.map(({ id }) => id).join(''), isWhole];
};

beforeEach(() => {
  store = memory();
  vi.stubGlobal('localStorage', store);
});

describe('the last user', () => {
  test('is stored by name and id alone', () => {
    rememberUser({ ...anna, email: 'anna@example.org' } as typeof anna, own);
    expect(lastUser()).toEqual(anna);
    expect([...store.texts.values()].join('')).not.toContain('example.org');
  });

  test('is forgotten on sign-out, together with the list', () => {
    rememberUser(anna, own);
    rememberList('anna', newest('a'));
    forgetLastUser();
    expect([lastUser(), lastList('anna').recordings, store.texts.size]).toEqual([null, [], 0]);
  });

  test('is not stored on a shared computer, which also forgets the user before', () => {
    rememberUser(anna, own);
    rememberList('anna', newest('a'));
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

  test('is null if storage is unavailable or holds something else', () => {
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
  test('is shown only to the user it belongs to', () => {
    rememberUser(anna, own);
    rememberList('anna', newest('a'));
    expect(lastList('anna').recordings.map(({ id }) => id)).toEqual(['a']);
    expect([lastList('ben').recordings, lastList(null).recordings]).toEqual([[], []]);
  });

  test('is deleted when another user signs in', () => {
    rememberUser(anna, own);
    rememberList('anna', newest('a'));
    rememberUser(ben, own);
    expect([...store.texts.values()].join('')).not.toContain('Anna');
    expect(lastList('anna').recordings).toEqual([]);
  });

  test('is not stored for a user who is not the last one signed in', () => {
    rememberUser(anna, own);
    rememberList('ben', newest('a'));
    expect(lastList('ben').recordings).toEqual([]);
  });

  test('keeps older recordings when a screen has read only the newest ones', () => {
    rememberUser(anna, own);
    rememberList('anna', newest('zyxwv'));
    rememberList('anna', newest('zx', 4));
    expect(listed(), 'y is gone, because it would be before x').toEqual(['zxwv', true]);
    rememberList('anna', newest('', 0));
    expect(listed()).toEqual(['', true]);
  });

  test('says whether it is all that the user had', () => {
    rememberUser(anna, own);
    rememberList('anna', newest('zy', 212));
    expect(listed()).toEqual(['zy', false]);
    rememberList('anna', newest('zyx', 3));
    expect(listed()).toEqual(['zyx', true]);
  });
});
