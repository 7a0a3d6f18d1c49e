import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { buildPyramid } from '#audio/peaks/peaks-pyramid.ts';
import { localPeaks } from './local-peaks.ts';
import { PeaksReader } from './peaks-reader.ts';
import { tilePoints, type PeaksSource } from './peaks-source.ts';
import { peaksFrom, type ReadPeaks } from './pyramid-source.ts';
import { levelFor, pointsBetween } from './tile-selection.ts';

const noise = (count: number): Int8Array =>
  Int8Array.from({ length: count * 2 }, (_, i) => (i % 2 ? 1 : -1) * ((i * 7919) % 120));

/** The extent of a range by brute force over the finest points. */
function bruteForce(points: Int8Array, from: number, to: number) {
  let [lowest, highest] = [127, -128];
  for (let point = from; point < to; point++) {
    lowest = Math.min(lowest, points[point * 2] ?? 0);
    highest = Math.max(highest, points[point * 2 + 1] ?? 0);
  }
  return { lowest, highest };
}

async function openReader(source: PeaksSource): Promise<PeaksReader> {
  const reader = new PeaksReader();
  await reader.open(source);
  return reader;
}

const nextChange = (reader: PeaksReader): Promise<void> =>
  new Promise((resolve) => {
    const stop = reader.subscribe(() => {
      stop();
      resolve();
    });
  });

describe('reading peaks in tiles', () => {
  test('reads exactly the points of the file for every range', async () => {
    const points = noise(30_000);
    const reader = await openReader(
      localPeaks({ takeId: 'a', edition: 'whole' }, () => Promise.resolve(points)),
    );
    const { layout } = reader;
    if (!layout) throw new Error('no layout');
    const finest = layout.levels.length - 1;
    reader.want('a', [pointsBetween(layout, finest, { fromMs: 0, toMs: 300_000 })]);
    await vi.waitFor(() =>
      expect(reader.extent(finest, { fromMs: 299_990, toMs: 300_000 })).toEqual(
        bruteForce(points, 29_999, 30_000),
      ),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 29_998 }), fc.integer({ min: 1, max: 200 }), (from, length) => {
        const to = Math.min(30_000, from + length);
        expect(reader.extent(finest, { fromMs: from * 10, toMs: to * 10 })).toEqual(
          bruteForce(points, from, to),
        );
      }),
    );
  });

  test('tells speech with pauses from speech without by its loudness, though the peaks are alike', async () => {
    // A syllable of 200 ms and as much silence, then twice as many syllables.
    const points = Int8Array.from({ length: 2 * 4000 }, (_, index) => {
      const atMs = Math.floor(index / 2) * 10;
      const isLoud = atMs >= 20_000 || Math.floor(atMs / 200) % 2 === 0;
      return isLoud ? (index % 2 === 0 ? -100 : 100) : 0;
    });
    const reader = await openReader(
      localPeaks({ takeId: 'a', edition: 'whole' }, () => Promise.resolve(points)),
    );
    const { layout } = reader;
    if (!layout) throw new Error('no layout');
    const finest = layout.levels.length - 1;
    reader.want('a', [pointsBetween(layout, finest, { fromMs: 0, toMs: 40_000 })]);
    const [before, after] = [
      { fromMs: 0, toMs: 20_000 },
      { fromMs: 20_000, toMs: 40_000 },
    ];
    await vi.waitFor(() => expect(reader.loudness(finest, before)).toBeCloseTo(100 / Math.SQRT2));
    expect(reader.loudness(finest, after)).toBeCloseTo(100);
    expect(reader.extent(finest, before)).toEqual(reader.extent(finest, after));
  });

  test('never shows more loudness than peaks, whichever levels both are read from', async () => {
    const points = noise(30_000);
    const reader = await openReader(
      localPeaks({ takeId: 'a', edition: 'whole' }, () => Promise.resolve(points)),
    );
    const { layout } = reader;
    if (!layout) throw new Error('no layout');
    layout.levels.forEach((_, level) =>
      reader.want(String(level), [pointsBetween(layout, level, { fromMs: 0, toMs: 300_000 })]),
    );
    const last = { fromMs: 299_990, toMs: 300_000 };
    await vi.waitFor(() =>
      expect(reader.extent(layout.levels.length - 1, last)).toEqual(bruteForce(points, 29_999, 30_000)),
    );
    fc.assert(
      fc.property(
        fc.record({
          level: fc.integer({ min: 0, max: layout.levels.length - 1 }),
          finer: fc.integer({ min: 0, max: 2 }),
          fromMs: fc.integer({ min: 0, max: 290_000 }),
          lengthMs: fc.integer({ min: 10, max: 10_000 }),
        }),
        ({ level, finer, fromMs, lengthMs }) => {
          const time = { fromMs, toMs: fromMs + lengthMs };
          const { lowest = 0, highest = 0 } = reader.extent(level, time) ?? {};
          const loudness = reader.loudness(Math.min(level + finer, layout.levels.length - 1), time) ?? 0;
          expect(loudness).toBeLessThanOrEqual(Math.max(-lowest, highest) + 1e-9);
        },
      ),
    );
  });

  test('has the overview after the first request, and uses it until finer tiles load', async () => {
    const file = buildPyramid(noise(4_320_000 / 12));
    const read = vi.fn<ReadPeaks>(({ from, to }) => Promise.resolve(file.slice(from, to)));
    const reader = await openReader(peaksFrom('hour', read));
    expect(read).toHaveBeenCalledTimes(1);
    const finest = (reader.layout?.levels.length ?? 0) - 1;
    expect(reader.extent(finest, { fromMs: 0, toMs: 10 })).toEqual(reader.extent(0, { fromMs: 0, toMs: 10 }));
  });

  test('fetches only the tile of the visible range, once', async () => {
    const file = buildPyramid(noise(100_000));
    const read = vi.fn<ReadPeaks>(({ from, to }) => Promise.resolve(file.slice(from, to)));
    const reader = await openReader(peaksFrom('x', read));
    const { layout } = reader;
    if (!layout) throw new Error('no layout');
    const range = pointsBetween(layout, levelFor(layout, 10), { fromMs: 500_000, toMs: 510_000 });
    reader.want('a', [range]);
    reader.want('a', [range]);
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
    expect(read.mock.calls[1]?.[0].to).toBe((read.mock.calls[1]?.[0].from ?? 0) + tilePoints * 2);
  });

  test('aborts requests for tiles that have scrolled away', async () => {
    const source = localPeaks({ takeId: 'a', edition: 'whole' }, () => Promise.resolve(noise(100_000)));
    const signals: AbortSignal[] = [];
    const slow: PeaksSource = {
      ...source,
      tile: (level, index, signal) => {
        if (level === 0) return source.tile(level, index, signal);
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    };
    const reader = await openReader(slow);
    reader.want('a', [{ level: 4, from: 0, to: 10 }]);
    reader.want('a', [{ level: 4, from: 50_000, to: 50_010 }]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test('limits the number of cached tiles, however far the user scrolls', async () => {
    const source = localPeaks({ takeId: 'a', edition: 'whole' }, () => Promise.resolve(noise(1_000_000)));
    const fetched: string[] = [];
    const reader = await openReader({
      ...source,
      tile: (level, index, signal) => {
        fetched.push(`${level}/${index}`);
        return source.tile(level, index, signal);
      },
    });
    const finest = (reader.layout?.levels.length ?? 0) - 1;
    for (let tile = 0; tile < 240; tile++) {
      reader.want('a', [{ level: finest, from: tile * tilePoints, to: tile * tilePoints + 1 }]);
      await nextChange(reader);
    }
    const before = fetched.length;
    reader.want('a', [{ level: finest, from: 0, to: 1 }]);
    reader.want('b', [{ level: finest, from: 239 * tilePoints, to: 239 * tilePoints + 1 }]);
    expect(fetched.slice(before)).toEqual([`${finest}/0`]);
  });

  test('keeps showing the old peaks of a live recording until the longer ones have loaded', async () => {
    const reader = await openReader(
      localPeaks({ takeId: 'a', edition: 'whole' }, () => Promise.resolve(noise(500))),
    );
    const opening = reader.open(
      localPeaks({ takeId: 'a', edition: 'whole' }, () => Promise.resolve(noise(900))),
    );
    expect(reader.layout?.points).toBe(500);
    await opening;
    expect(reader.layout?.points).toBe(900);
  });

  test('reports unreadable peaks as a status instead of throwing', async () => {
    const reader = await openReader(peaksFrom('bad', () => Promise.resolve(new Uint8Array(300))));
    expect(reader.getSnapshot()).toBe('failed');
  });

  test('opens an empty recording with a layout and no points', async () => {
    const reader = await openReader(
      localPeaks({ takeId: 'empty', edition: 'whole' }, () => Promise.resolve(new Int8Array())),
    );
    expect(reader.getSnapshot()).toBe('ready');
    expect(reader.extent(0, { fromMs: 0, toMs: 1000 })).toBeNull();
  });
});
