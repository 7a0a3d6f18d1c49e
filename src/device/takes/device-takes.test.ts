import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceTakesState } from './device-takes-state.ts';
import { deviceTakes, startWithDeviceTakes, whenDeviceRead } from './device-takes.ts';

const watchTakes = vi.hoisted(() => vi.fn<() => void>());
vi.mock('./watch-takes.ts', () => ({ watchTakes }));
const setLoaded = (isLoaded: boolean) => {
  deviceTakesState.set({ isLoaded, takes: [], hasOtherOwners: false });
};

beforeEach(() => {
  vi.useFakeTimers();
  watchTakes.mockReset();
  setLoaded(false);
});
afterEach(() => {
  vi.useRealTimers();
});

test('waiting for the takes on this device reads the device, and ends when it was read', async () => {
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

test('waiting for a device that cannot be read ends after five seconds', async () => {
  let isOver = false;
  void whenDeviceRead()?.then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(4900);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isOver).toBe(true);
});

test('what is added after the device was read starts at once', async () => {
  deviceTakes.subscribe(() => {});
  const start = vi.fn<() => Promise<void>>(async () => {});
  startWithDeviceTakes(start);
  await vi.advanceTimersByTimeAsync(0);
  expect(start).toHaveBeenCalledOnce();
  deviceTakes.subscribe(() => {});
  expect(start).toHaveBeenCalledOnce();
});
