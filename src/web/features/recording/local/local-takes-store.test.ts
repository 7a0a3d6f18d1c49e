import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { changeLocalTakes } from './local-takes-state.ts';
import { lookingHere } from './local-takes-store.ts';

const followTakesHere = vi.hoisted(() => vi.fn<() => void>());
vi.mock('./takes-here.ts', () => ({ followTakesHere }));

beforeEach(() => {
  vi.useFakeTimers();
  followTakesHere.mockReset();
  changeLocalTakes({ isLoaded: false });
});
afterEach(() => {
  vi.useRealTimers();
});

test('who wants to know what lies here has the device looked at, and waits until it was', async () => {
  followTakesHere.mockImplementation(() => {
    setTimeout(() => {
      changeLocalTakes({ isLoaded: true });
    }, 300);
  });
  const looking = lookingHere();
  expect(looking).not.toBeNull();
  await vi.advanceTimersByTimeAsync(300);
  await looking;
  expect(lookingHere()).toBeNull();
});

test('a device that cannot be read is waited for five seconds', async () => {
  let isOver = false;
  void lookingHere()?.then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(4900);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isOver).toBe(true);
});
