import { beforeEach, expect, test, vi } from 'vitest';
import { dismissedClaims } from '#device/takes/claims.ts';
import { areLikelyMine } from './use-unclaimed.ts';

const nowMs = Date.parse('2026-11-25T12:00:00.000Z');
const user = (createdAt: string) => ({ id: 'anna', createdAt });
const alone = { hasOtherOwners: false };

beforeEach(() => {
  const texts = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => {
      texts.set(key, text);
    },
    removeItem: (key: string) => {
      texts.delete(key);
    },
  });
});

test('recordings of no account are most likely those of a person who has just created the account on a device with one user', () => {
  expect(areLikelyMine(user('2026-11-25T11:59:00.000Z'), alone, nowMs)).toBe(true);
});

test('an older account, or a device with other owners or other people who answered, says nothing about whose they are', () => {
  expect(areLikelyMine(user('2026-11-24T12:00:00.000Z'), alone, nowMs)).toBe(false);
  expect(areLikelyMine(user('2026-11-25T11:59:00.000Z'), { hasOtherOwners: true }, nowMs)).toBe(false);
  dismissedClaims.add('ben', ['a-take']);
  expect(areLikelyMine(user('2026-11-25T11:59:00.000Z'), alone, nowMs)).toBe(false);
});
