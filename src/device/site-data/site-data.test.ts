import { afterEach, expect, test, vi } from 'vitest';
import { openBroadcast } from './broadcast.ts';
import { cookieValue } from './cookie.ts';
import { readJson, readText, writeText } from './text-store.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Makes the getter itself throw, as browsers do that block site data. */
function blockStore(name: 'localStorage' | 'sessionStorage'): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get: () => {
      throw new DOMException('The request was denied.', 'SecurityError');
    },
  });
  onTestFinished(name, before);
}

const restores: (() => void)[] = [];
function onTestFinished(name: string, before: PropertyDescriptor | undefined): void {
  restores.push(() => {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  });
}
afterEach(() => {
  for (const restore of restores.splice(0)) restore();
});

test.each(['localStorage', 'sessionStorage'] as const)(
  'reads a blocked %s as empty and reports failed writes',
  (store) => {
    blockStore(store);
    expect([
      readText(store, 'a'),
      readJson(store, 'a'),
      writeText(store, 'a', '1'),
      writeText(store, 'a', null),
    ]).toEqual([null, null, false, false]);
  },
);

test('returns no channel if the browser rejects channels between tabs', () => {
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
    },
  );
  expect(openBroadcast('auth')).toBeNull();
});

test.each([
  ['lang=de', 'de'],
  ['theme=dark; lang=pt-BR', 'pt-BR'],
  ['lang=%', null],
  ['lang=%E0%A4%A; theme=dark', null],
  ['lang=%ff', null],
  ['lang=', ''],
  ['language=de', null],
  ['', null],
])('reads from the cookies %j the language %j', (cookies, value) => {
  expect(cookieValue(cookies, 'lang')).toBe(value);
});
