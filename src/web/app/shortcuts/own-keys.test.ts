import { afterEach, expect, test, vi } from 'vitest';
import { dropOwnKeys } from './own-keys.ts';

const withStored = (text: string | null, canWrite = true) => {
  const stored = new Map(text === null ? [] : [['keys', text]]);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    removeItem: (name: string) => {
      if (!canWrite) throw new DOMException('blocked', 'SecurityError');
      stored.delete(name);
    },
  });
  return stored;
};
afterEach(() => void vi.unstubAllGlobals());

test('removes the keys of an earlier version, and reports them once', () => {
  const stored = withStored('{"recorder.record":"g"}');
  expect([dropOwnKeys(), dropOwnKeys()]).toEqual([true, false]);
  expect(stored.size).toBe(0);
});

test.each([null, '{}'])('reports nothing to a user who chose no key (%s)', (text) => {
  withStored(text);
  expect(dropOwnKeys()).toBe(false);
});

test('reports nothing where the keys cannot be removed', () => {
  withStored('{"recorder.record":"g"}', false);
  expect(dropOwnKeys()).toBe(false);
});
