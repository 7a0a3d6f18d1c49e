import { expect, test } from 'vitest';
import { CaptureClock } from './frame-clock.ts';

const rateHz = 48_000;
const blockMs = 10;
const frames = (rateHz * blockMs) / 1000;

/** Feeds a `CaptureClock` 10 ms blocks with the given capture times. */
function trackOf() {
  const clock = new CaptureClock<{ frames: number; name: number }>(rateHz);
  const passed: { name: number; frame: number }[] = [];
  let name = 0;
  const take = (found: ReturnType<typeof clock.push>) => {
    for (const { block, frame } of found) passed.push({ name: block.name, frame });
  };
  return {
    passed,
    taken: (...timesMs: number[]) => {
      for (const atMs of timesMs) take(clock.push({ frames, name: name++ }, atMs));
    },
    end: () => take(clock.release()),
    /** Holes between consecutive blocks, in milliseconds. */
    holesMs: () =>
      passed.flatMap(({ frame }, index) => {
        const before = passed[index - 1];
        const holeMs = before === undefined ? 0 : ((frame - before.frame - frames) * 1000) / rateHz;
        return holeMs === 0 ? [] : [{ before: index, holeMs: Math.round(holeMs) }];
      }),
  };
}

const every10Ms = (fromMs: number, count: number, off: (index: number) => number = () => 0) =>
  Array.from({ length: count }, (_, index) => fromMs + index * blockMs + off(index));

test('passes consecutive blocks on immediately and finds no hole', () => {
  const track = trackOf();
  track.taken(...every10Ms(500, 1000, (index) => (index % 3) / 10));
  expect(track.passed).toHaveLength(1000);
  expect(track.holesMs()).toEqual([]);
});

test('finds a hole of 30 ms or more at its position and with its length', () => {
  for (const lostMs of [30, 75, 400, 60_000]) {
    const track = trackOf();
    track.taken(...every10Ms(0, 100), ...every10Ms(1000 + lostMs, 100));
    track.end();
    expect(track.holesMs()).toEqual([{ before: 100, holeMs: lostMs }]);
    expect(track.passed.map(({ name }) => name)).toEqual(Array.from({ length: 200 }, (_, index) => index));
  }
});

test('does not treat a single block with a late or early timestamp as a hole', () => {
  const track = trackOf();
  track.taken(...every10Ms(0, 400, (index) => (index % 50 === 30 ? 60 : 0) + (index % 50 === 40 ? -60 : 0)));
  track.end();
  expect(track.passed).toHaveLength(400);
  expect(track.holesMs()).toEqual([]);
});

test('finds no hole when timestamps jitter by 15 ms', () => {
  const track = trackOf();
  track.taken(...every10Ms(0, 3000, (index) => 7.5 * Math.sin(index / 20) + 7.5 * Math.sin(index * 7)));
  track.end();
  expect(track.holesMs()).toEqual([]);
});

test('finds no hole in an hour of sound from a sound card that drifts by 300 ppm', () => {
  for (const drift of [300e-6, -300e-6]) {
    const track = trackOf();
    for (const atMs of every10Ms(0, 360_000, (index) => index * blockMs * drift)) track.taken(atMs);
    expect(track.holesMs()).toEqual([]);
  }
});

test('adds losses of single blocks up to a hole', () => {
  const track = trackOf();
  track.taken(
    ...every10Ms(
      0,
      1000,
      (index) => (index >= 300 ? 10 : 0) + (index >= 400 ? 10 : 0) + (index >= 500 ? 10 : 0),
    ),
  );
  const lostMs = track.holesMs().reduce((sum, { holeMs }) => sum + holeMs, 0);
  expect(lostMs).toBeGreaterThan(20);
  expect(lostMs).toBeLessThanOrEqual(30);
});

test('finds no hole where the clock of a track restarts after its transfer, and finds the next hole', () => {
  const track = trackOf();
  track.taken(...every10Ms(5000, 7), ...every10Ms(70, 200), ...every10Ms(2070 + 80, 100));
  track.end();
  expect(track.holesMs()).toEqual([{ before: 207, holeMs: 80 }]);
});

test('counts two holes that follow each other closely', () => {
  const track = trackOf();
  track.taken(...every10Ms(0, 100), ...every10Ms(1100, 5), ...every10Ms(1250, 100));
  track.end();
  expect(track.holesMs().reduce((sum, { holeMs }) => sum + holeMs, 0)).toBe(200);
});

test('releases held blocks at the end with the hole before them', () => {
  const track = trackOf();
  track.taken(...every10Ms(0, 100), ...every10Ms(1075, 3));
  expect(track.passed).toHaveLength(100);
  track.end();
  expect(track.passed).toHaveLength(103);
  expect(track.holesMs()).toEqual([{ before: 100, holeMs: 75 }]);
});
