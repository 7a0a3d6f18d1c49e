import { beforeEach, expect, test, vi } from 'vitest';
import { forgetOtherNames, maskedName, ownerNameOf, rememberOwnerName } from './owner-names.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  });
});

test('an address is masked but for its first character and its domain, a name but for its first character', () => {
  expect(['ana.maria@example.org', 'Ana Maria', '😀smile@example.org', ''].map(maskedName)).toEqual([
    'a…@example.org',
    'A…',
    '😀…@example.org',
    '…',
  ]);
});

test('only the masked address is stored, and only as long as this device has takes of its account', () => {
  rememberOwnerName('1', 'ana@example.org');
  rememberOwnerName('2', 'bob@example.org');
  expect(localStorage.getItem('earshot.owner-names')).not.toContain('ana@');
  forgetOtherNames(new Set(['2']));
  expect([ownerNameOf('1'), ownerNameOf('2')]).toEqual([null, 'b…@example.org']);
});

test('anything else in the store counts as no name', () => {
  localStorage.setItem('earshot.owner-names', '{"1":5,"2":"b…"}');
  expect([ownerNameOf('1'), ownerNameOf('2')]).toEqual([null, 'b…']);
  localStorage.setItem('earshot.owner-names', '[1');
  expect(ownerNameOf('1')).toBe(null);
});
