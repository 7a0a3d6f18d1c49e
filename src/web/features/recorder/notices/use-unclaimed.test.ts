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

test('attributes unowned recordings to a user whose account is new on a device without other users', () => {
  expect(areLikelyMine(user('2026-11-25T11:59:00.000Z'), alone, nowMs)).toBe(true);
});

test('does not attribute them if the account is older or another user owns or has declined takes', () => {
  expect(areLikelyMine(user('2026-11-24T12:00:00.000Z'), alone, nowMs)).toBe(false);
  expect(areLikelyMine(user('2026-11-25T11:59:00.000Z'), { hasOtherOwners: true }, nowMs)).toBe(false);
  dismissedClaims.add('ben', ['a-take']);
  expect(areLikelyMine(user('2026-11-25T11:59:00.000Z'), alone, nowMs)).toBe(false);
});
