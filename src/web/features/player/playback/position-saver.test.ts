import { expect, test } from 'vitest';
import type { Track } from '#playback/playback-state.ts';
import type { StoredPosition } from './playback-positions.ts';
import { PositionSaver, type PositionSaverDeps } from './position-saver.ts';

const track: Track = {
  id: 'a',
  url: '/a',
  title: 'A',
  durationMs: 60_000,
  sections: null,
  growing: false,
  sizeBytes: 1,
  gaps: [],
};
type PlayerState = ReturnType<PositionSaverDeps['player']['getSnapshot']>;

function setUp() {
  let [heard, nowMs]: [PlayerState, number] = [
    { track, status: 'paused', positionMs: 0, durationMs: 60_000 },
    0,
  ];
  const listeners = new Set<() => void>();
  const saved: [string, StoredPosition][] = [];
  const saver = new PositionSaver({
    player: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      getSnapshot: () => heard,
    },
    nowMs: () => nowMs,
    save: ({ id }, position) => {
      saved.push([id, position]);
    },
  });
  const now = (atMs: number, change: Partial<PlayerState>) => {
    nowMs = atMs;
    heard = { ...heard, ...change };
    for (const listener of listeners) listener();
  };
  return { saver, saved, now };
}

test('saves nothing for a recording that was opened but not played', () => {
  const { saver, saved, now } = setUp();
  now(1000, { positionMs: 30_000 });
  saver.leave();
  expect(saved).toEqual([]);
});

test('saves the position on pause and after every 15 seconds of playback', () => {
  const { saved, now } = setUp();
  now(1000, { status: 'playing' });
  now(10_000, { positionMs: 9000 });
  expect(saved).toEqual([]);
  now(16_000, { positionMs: 15_000 });
  now(20_000, { positionMs: 19_000, status: 'paused' });
  expect(saved).toEqual([
    ['a', { positionMs: 15_000, playedAtMs: 16_000 }],
    ['a', { positionMs: 19_000, playedAtMs: 20_000 }],
  ]);
});

test('saves the start of a recording that has ended', () => {
  const { saved, now } = setUp();
  now(0, { status: 'playing', positionMs: 59_000 });
  now(1000, { status: 'ended', positionMs: 60_000 });
  expect(saved).toEqual([['a', { positionMs: 0, playedAtMs: 1000 }]]);
});

test('saves the position when the recording changes and when the page closes', () => {
  const { saver, saved, now } = setUp();
  now(0, { status: 'playing', positionMs: 5000 });
  now(1000, { track: { ...track, id: 'b' }, status: 'loading', positionMs: 0 });
  now(2000, { status: 'playing', positionMs: 700 });
  saver.leave();
  expect(saved).toEqual([
    ['a', { positionMs: 5000, playedAtMs: 1000 }],
    ['b', { positionMs: 700, playedAtMs: 2000 }],
  ]);
});

test('does not save an idle position again: another device may have a newer one', () => {
  const { saver, saved, now } = setUp();
  now(0, { status: 'playing', positionMs: 1000 });
  now(10_000, { status: 'paused', positionMs: 10_000 });
  saved.length = 0;
  now(3_600_000, {});
  saver.leave();
  now(3_700_000, { track: { ...track, id: 'b' }, positionMs: 0 });
  expect(saved).toEqual([]);
  now(3_800_000, { status: 'playing', positionMs: 500 });
  saver.leave();
  expect(saved).toEqual([['b', { positionMs: 500, playedAtMs: 3_800_000 }]]);
});

test('saves nothing for a live recording', () => {
  const { saver, saved, now } = setUp();
  now(0, { track: { ...track, growing: true }, status: 'playing' });
  saver.leave();
  expect(saved).toEqual([]);
});
