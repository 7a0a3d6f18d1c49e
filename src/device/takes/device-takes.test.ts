import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceTakesState } from './device-takes-state.ts';
import { deviceTakes, startWithDeviceTakes, whenDeviceRead } from './device-takes.ts';

const watchTakes = vi.hoisted(() => vi.fn<() => void>());
vi.mock('./watch-takes.ts', () => ({ watchTakes }));
const setLoaded = (isLoaded: boolean) => {
  deviceTakesState.set({ isLoaded, takes: [], hasOtherOwners: false, others: [] });
};

beforeEach(() => {
  vi.useFakeTimers();
  watchTakes.mockReset();
  setLoaded(false);
});
afterEach(() => {
  vi.useRealTimers();
});

test('starts reading the device and resolves when it has been read', async () => {
  watchTakes.mockImplementation(() => {
    setTimeout(() => {
      setLoaded(true);
    }, 300);
  });
  const reading = whenDeviceRead();
  expect(reading).not.toBeNull();
  await vi.advanceTimersByTimeAsync(300);
  await reading;
  expect(whenDeviceRead()).toBeNull();
});

test('stops waiting after five seconds for a device that cannot be read', async () => {
  let isOver = false;
  void whenDeviceRead()?.then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(4900);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isOver).toBe(true);
});

test('runs a start function that failed to load again after half a minute', async () => {
  deviceTakes.subscribe(() => {});
  const start = vi
    .fn<() => Promise<void>>(async () => {})
    .mockRejectedValueOnce(new TypeError('Failed to fetch'));
  startWithDeviceTakes(start);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(start).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(start).toHaveBeenCalledTimes(2);
});

test('runs a start function immediately, and once, if it is added after the device was read', async () => {
  deviceTakes.subscribe(() => {});
  const start = vi.fn<() => Promise<void>>(async () => {});
  startWithDeviceTakes(start);
  await vi.advanceTimersByTimeAsync(0);
  expect(start).toHaveBeenCalledOnce();
  deviceTakes.subscribe(() => {});
  expect(start).toHaveBeenCalledOnce();
});
