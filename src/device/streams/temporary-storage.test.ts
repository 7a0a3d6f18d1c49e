import { afterEach, expect, test, vi } from 'vitest';
import { isStorageTemporary } from './temporary-storage.ts';

const works = async () => undefined;
const failing = (name: string) => async () => {
  throw new DOMException('from the test', name);
};

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  {
    window: 'a private window of Firefox, which denies files',
    probe: { getDirectory: failing('SecurityError'), storeBlob: works },
    isTemporary: true,
  },
  {
    window: 'a private window of Safari, which denies files',
    probe: { getDirectory: failing('UnknownError'), storeBlob: failing('UnknownError') },
    isTemporary: true,
  },
  {
    window: 'a private window of WebKitGTK, which has no files',
    probe: { getDirectory: undefined, storeBlob: failing('UnknownError') },
    isTemporary: true,
  },
  {
    window: 'WebKitGTK, which has no files',
    probe: { getDirectory: undefined, storeBlob: works },
    isTemporary: false,
  },
  {
    window: 'a browser without files whose device is full',
    probe: { getDirectory: undefined, storeBlob: failing('QuotaExceededError') },
    isTemporary: false,
  },
  {
    window: 'a browser whose workers cannot write files',
    probe: { getDirectory: works, storeBlob: works },
    isTemporary: false,
  },
])('judges $window', async ({ probe, isTemporary }) => {
  expect(await isStorageTemporary(probe)).toBe(isTemporary);
});

test('takes no answer within a second for unknown, not for temporary', async () => {
  vi.useFakeTimers();
  const judged = isStorageTemporary({
    getDirectory: undefined,
    storeBlob: () => new Promise(() => undefined),
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(await judged).toBe(false);
});
