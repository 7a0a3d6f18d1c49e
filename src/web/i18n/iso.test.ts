import fc from 'fast-check';
import { expect, test } from 'vitest';
import { iso, isoLeftToRight } from './iso.ts';

test('a name is wrapped in first-strong isolate and pop', () => {
  expect(iso('سالم')).toBe('\u2068سالم\u2069');
});

test('overrides and isolates hidden in a name cannot leak out of it', () => {
  expect(iso('evil\u202egnp.exe\u2069')).toBe('\u2068evilgnp.exe\u2069');
});

test('whatever somebody types, the marks are paired and nothing else is lost', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
    const wrapped = iso(text);
    expect(wrapped.match(/[\u202a-\u202e\u2066-\u2069]/g)).toEqual(['\u2068', '\u2069']);
    expect(wrapped.slice(1, -1)).toBe(text.replace(/[\u202a-\u202e\u2066-\u2069]/g, ''));
  }));
});

test('a file name stays left to right', () => {
  expect(isoLeftToRight('a.ogg')).toBe('\u2066a.ogg\u2069');
});
