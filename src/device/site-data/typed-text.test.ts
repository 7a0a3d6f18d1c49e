import { beforeEach, expect, test, vi } from 'vitest';
import { typedText } from './typed-text.ts';

beforeEach(() => {
  // As much of `Storage` as is used: its keys are its own properties.
  const store: unknown = Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, text: string) {
      this[key] = text;
    },
    removeItem(this: Record<string, string>, key: string) {
      Reflect.deleteProperty(this, key);
    },
  });
  vi.stubGlobal('sessionStorage', store);
  return () => vi.unstubAllGlobals();
});

test('stays until it is saved or cancelled, or until all of it is cleared', () => {
  typedText.write('title:a', 'Interview');
  typedText.write('title:b', 'Other');
  typedText.write('title:b', null);
  expect([typedText.read('title:a'), typedText.read('title:b')]).toEqual(['Interview', null]);
  typedText.clear();
  expect(typedText.read('title:a')).toBeNull();
});
