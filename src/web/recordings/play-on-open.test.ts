import { beforeEach, expect, test, vi } from 'vitest';
import { openAndPlay, takePlayOnOpen } from './play-on-open.ts';

beforeEach(() => {
  const entry = { state: null as unknown, path: '/' };
  vi.stubGlobal('history', {
    get state() {
      return entry.state;
    },
    pushState(state: unknown, _: string, path: string) {
      Object.assign(entry, { state, path });
    },
    replaceState(state: unknown) {
      entry.state = state;
    },
    get path() {
      return entry.path;
    },
  });
});

test('Play opens the page of the recording and plays it, once', () => {
  expect(takePlayOnOpen()).toBe(false);
  openAndPlay('a');
  expect(history).toHaveProperty('path', '/recordings/a');
  expect(takePlayOnOpen()).toBe(true);
  expect(takePlayOnOpen(), 'after a reload of the same page').toBe(false);
});

test('a page that another link opened plays nothing', () => {
  history.pushState({ scroll: 5 }, '', '/recordings/a');
  expect(takePlayOnOpen()).toBe(false);
});
