import { expect, test } from 'vitest';
import type { Track } from '#web/features/player/engine/playback-state.ts';
import type { KeptPosition } from './playback-positions.ts';
import { PositionKeeper, type KeeperDeps } from './position-saver.ts';

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
type Heard = ReturnType<KeeperDeps['player']['getSnapshot']>;

function setUp() {
  let [heard, nowMs]: [Heard, number] = [{ track, status: 'paused', positionMs: 0, durationMs: 60_000 }, 0];
  const listeners = new Set<() => void>();
  const kept: [string, KeptPosition, boolean][] = [];
  const keeper = new PositionKeeper({
    player: {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      getSnapshot: () => heard,
    },
    nowMs: () => nowMs,
    keep: ({ id }, position, isLast) => {
      kept.push([id, position, isLast]);
    },
  });
  const now = (atMs: number, change: Partial<Heard>) => {
    nowMs = atMs;
    heard = { ...heard, ...change };
    for (const listener of listeners) listener();
  };
  return { keeper, kept, now };
}

test('a recording that was only looked at leaves nothing behind', () => {
  const { keeper, kept, now } = setUp();
  now(1000, { positionMs: 30_000 });
  keeper.leave();
  expect(kept).toEqual([]);
});

test('a pause keeps the position, and so does every quarter of a minute of playing', () => {
  const { kept, now } = setUp();
  now(1000, { status: 'playing' });
  now(10_000, { positionMs: 9000 });
  expect(kept).toEqual([]);
  now(16_000, { positionMs: 15_000 });
  now(20_000, { positionMs: 19_000, status: 'paused' });
  expect(kept).toEqual([
    ['a', { positionMs: 15_000, heardAtMs: 16_000 }, false],
    ['a', { positionMs: 19_000, heardAtMs: 20_000 }, false],
  ]);
});

test('what is over begins again the next time', () => {
  const { kept, now } = setUp();
  now(0, { status: 'playing', positionMs: 59_000 });
  now(1000, { status: 'ended', positionMs: 60_000 });
  expect(kept).toEqual([['a', { positionMs: 0, heardAtMs: 1000 }, false]]);
});

test('another recording keeps where the one before was, and a page that goes keeps what runs', () => {
  const { keeper, kept, now } = setUp();
  now(0, { status: 'playing', positionMs: 5000 });
  now(1000, { track: { ...track, id: 'b' }, status: 'loading', positionMs: 0 });
  now(2000, { status: 'playing', positionMs: 700 });
  keeper.leave();
  expect(kept).toEqual([
    ['a', { positionMs: 5000, heardAtMs: 1000 }, false],
    ['b', { positionMs: 700, heardAtMs: 2000 }, true],
  ]);
});

test('a place that was kept and only stands there since is not kept again: it may have been heard elsewhere meanwhile', () => {
  const { keeper, kept, now } = setUp();
  now(0, { status: 'playing', positionMs: 1000 });
  now(10_000, { status: 'paused', positionMs: 10_000 });
  kept.length = 0;
  now(3_600_000, {});
  keeper.leave();
  now(3_700_000, { track: { ...track, id: 'b' }, positionMs: 0 });
  expect(kept).toEqual([]);
  now(3_800_000, { status: 'playing', positionMs: 500 });
  keeper.leave();
  expect(kept).toEqual([['b', { positionMs: 500, heardAtMs: 3_800_000 }, true]]);
});

test('of a recording that still grows nothing is kept: its end is where it is interesting', () => {
  const { keeper, kept, now } = setUp();
  now(0, { track: { ...track, growing: true }, status: 'playing' });
  keeper.leave();
  expect(kept).toEqual([]);
});
