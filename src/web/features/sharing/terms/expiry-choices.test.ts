import { expect, test } from 'vitest';
import { day } from '#base/duration.ts';
import { openPolicy } from '#contract/sharing-policy.suite.ts';
import { daysOffered, extendedUntil } from './expiry-choices.ts';
import { generatePassword } from './generate-password.ts';

const nowMs = Date.parse('2026-11-26T12:00:00.000Z');
const at = (days: number) => new Date(nowMs + days * day).toISOString();

test('offers no time that the rules of the server do not allow, but the longest and the usual one', () => {
  expect(daysOffered(openPolicy)).toEqual([1, 7, 30, 90, 365]);
  expect(daysOffered({ ...openPolicy, longestDays: 14, defaultDays: 3 })).toEqual([1, 3, 7, 14]);
  expect(daysOffered({ ...openPolicy, longestDays: null, defaultDays: 500 })).toContain(500);
});

test('extends a link from its end, and an expired one from now, never beyond the rules, and by a day at least', () => {
  expect(extendedUntil({ expiresAt: at(10) }, openPolicy, nowMs)).toBe(at(40));
  expect(extendedUntil({ expiresAt: at(-10) }, openPolicy, nowMs)).toBe(at(30));
  expect(extendedUntil({ expiresAt: at(10) }, { ...openPolicy, longestDays: 14 }, nowMs)).toBe(at(14));
  expect(extendedUntil({ expiresAt: at(13) }, { ...openPolicy, longestDays: 14 }, nowMs)).toBe(at(14));
  expect(extendedUntil({ expiresAt: at(13.5) }, { ...openPolicy, longestDays: 14 }, nowMs)).toBeNull();
  expect(extendedUntil({ expiresAt: at(14) }, { ...openPolicy, longestDays: 14 }, nowMs)).toBeNull();
  expect(extendedUntil({ expiresAt: null }, openPolicy, nowMs)).toBeNull();
});

test('generated passwords differ, fit the contract, and have no characters that look alike', () => {
  const passwords = Array.from({ length: 200 }, generatePassword);
  expect(new Set(passwords).size).toBe(200);
  for (const password of passwords) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
});
