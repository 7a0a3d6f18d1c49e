import { afterEach, expect, test, vi } from 'vitest';
import { fillsLossWithZeros } from './fills-loss-with-zeros.ts';

afterEach(() => vi.unstubAllGlobals());

test('is true in WebKit with GStreamer, and in no other browser', () => {
  const apple = { vendor: 'Apple Computer, Inc.' };
  vi.stubGlobal('navigator', apple);
  expect(fillsLossWithZeros()).toBe(true);
  vi.stubGlobal('GestureEvent', class {});
  expect(fillsLossWithZeros()).toBe(false);
  vi.unstubAllGlobals();
  for (const vendor of ['Google Inc.', '']) {
    vi.stubGlobal('navigator', { vendor });
    expect(fillsLossWithZeros()).toBe(false);
  }
});
