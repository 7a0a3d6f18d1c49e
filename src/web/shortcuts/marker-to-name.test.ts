import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { focusToName, type MarkerToName } from './marker-to-name.ts';
import { takeTyped } from './typing-ahead.ts';

let page: EventTarget;

beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('document', { activeElement: null });
});
afterEach(() => {
  takeTyped();
  vi.unstubAllGlobals();
});

const setPointer = (kind: 'fine' | 'coarse') =>
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === `(pointer: ${kind})` }));

/** Presses keys, and returns those that are left for the page's shortcuts. */
const type = (text: string): string =>
  Array.from(text)
    .filter((key) => page.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key })))
    .join('');

test('a name that is typed after a press on a touch screen triggers no shortcut, and opens the field', () => {
  setPointer('coarse');
  const show = vi.fn<(toName: MarkerToName | null) => void>();
  focusToName('m1', 'press', show);
  expect(show.mock.calls).toEqual([[null]]);
  expect(type('The question')).toBe('');
  expect(show.mock.lastCall).toEqual([{ markerId: 'm1', from: null }]);
  expect(show).toHaveBeenCalledTimes(2);
  expect(takeTyped()).toBe('The question');
});

test.for(['fine', 'coarse'] as const)('a key shows the field at once, with a %s pointer too', (kind) => {
  setPointer(kind);
  const show = vi.fn<(toName: MarkerToName | null) => void>();
  focusToName('m1', 'key', show);
  expect(show.mock.calls).toEqual([[{ markerId: 'm1', from: null }]]);
  expect(type('no')).toBe('');
  expect(takeTyped()).toBe('no');
});

test('after a press elsewhere keys are shortcuts again', () => {
  setPointer('coarse');
  focusToName('m1', 'press', () => undefined);
  page.dispatchEvent(new Event('pointerdown'));
  expect(type('p')).toBe('p');
});

test('a name may be typed slowly', () => {
  vi.useFakeTimers();
  setPointer('fine');
  focusToName('m1', 'key', () => undefined);
  for (const letter of 'slow') {
    expect(type(letter)).toBe('');
    vi.advanceTimersByTime(2000);
  }
  expect(takeTyped()).toBe('slow');
  vi.useRealTimers();
});
