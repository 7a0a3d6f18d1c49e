import { expect, test } from 'vitest';
import { SleepTimer, type Sleeper } from './sleep-timer.ts';

/** A fake player and a manual clock. */
function setUp() {
  const listeners = new Set<() => void>();
  const heard = { fade: 1, isPaused: false, status: 'playing', positionMs: 0 };
  const sleeper: Sleeper = {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => ({ status: heard.status, positionMs: heard.positionMs, durationMs: 60_000, rate: 2 }),
    setFade: (share) => {
      heard.fade = share;
    },
    pause: () => {
      heard.isPaused = true;
      for (const listener of listeners) listener();
    },
  };
  let nowMs = 1_000_000;
  const actions = new Set<() => void>();
  const timer = new SleepTimer(sleeper, {
    nowMs: () => nowMs,
    every: (_ms, action) => {
      actions.add(action);
      return () => void actions.delete(action);
    },
  });
  const pass = (ms: number) => {
    nowMs += ms;
    for (const action of actions) action();
  };
  const report = (change: Partial<typeof heard>) => {
    Object.assign(heard, change);
    for (const listener of listeners) listener();
  };
  return { timer, heard, pass, report };
}

test('stops after the chosen minutes with a fade of five seconds, and restores the volume afterwards', () => {
  const { timer, heard, pass } = setUp();
  timer.set(5);
  pass(4 * 60_000);
  expect([timer.getSnapshot().leftMs, heard.fade]).toEqual([60_000, 1]);
  pass(57_500);
  expect(heard).toMatchObject({ fade: 0.5, isPaused: false });
  pass(2500);
  expect(heard).toMatchObject({ fade: 1, isPaused: true });
  expect(timer.getSnapshot()).toEqual({ choice: 'off', leftMs: null });
});

test('updates the remaining time once a second', () => {
  const { timer, pass } = setUp();
  timer.set(15);
  let reports = 0;
  timer.subscribe(() => {
    reports += 1;
  });
  for (let tick = 0; tick < 20; tick += 1) pass(100);
  expect(reports).toBe(2);
});

test('fades towards the end of the recording in playback time, and stops there', () => {
  const { timer, heard, report } = setUp();
  timer.set('end');
  report({ positionMs: 55_000 });
  expect(heard.fade).toBe(0.5);
  report({ positionMs: 60_000, status: 'ended' });
  expect([heard.isPaused, timer.getSnapshot().choice, heard.fade]).toEqual([true, 'off', 1]);
});

test('stops nothing after it has been turned off', () => {
  const { timer, heard, pass } = setUp();
  timer.set(5);
  pass(297_000);
  timer.set('off');
  expect(heard.fade).toBe(1);
  pass(10_000);
  expect(heard.isPaused).toBe(false);
});
