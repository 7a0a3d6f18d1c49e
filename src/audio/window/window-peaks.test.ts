import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PeaksAccumulator } from '#audio/peaks/peaks-accumulator.ts';
import { overviewOf, overviewOfSource } from '#audio/peaks/peaks-overview.ts';
import { buildPyramid, pyramidHeaderBytes } from '#audio/peaks/peaks-pyramid.ts';
import { openPart } from './inside-windows.ts';
import { openPyramid, windowPoints } from './window-peaks.ts';

const rateHz = 8000;

/** Samples without two points alike, so that a point that is elsewhere is found. */
function soundOf(lengthMs: number): Float32Array {
  let state = 12_345;
  return Float32Array.from({ length: (lengthMs * rateHz) / 1000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return ((state >> 8) & 0xffff) / 0x8000 - 1;
  });
}

function pointsOf(samples: Float32Array): Int8Array<ArrayBuffer> {
  const accumulator = new PeaksAccumulator(rateHz);
  accumulator.push([samples]);
  return accumulator.take();
}

const lengthMs = 60_000;
const sound = soundOf(lengthMs);
const points = pointsOf(sound);
const whole = {
  read: async (from: number, to: number) => points.subarray(from * 2, to * 2),
  runs: [{ startPoint: 0, points: points.length / 2, startMs: 0, toleranceMs: 0 }],
};

const windowArbitrary = fc
  .tuple(fc.nat(lengthMs - 100), fc.integer({ min: 20, max: lengthMs }))
  .map(([startMs, length]) => ({ startMs, endMs: Math.min(lengthMs, startMs + length) }));

test('the peaks of a window are those of its own samples, in every level, byte range and overview value', async () => {
  await fc.assert(
    fc.asyncProperty(
      windowArbitrary,
      fc.array(fc.tuple(fc.nat(9000), fc.nat(9000))),
      async (window, ranges) => {
        const fromMs = Math.ceil(window.startMs / 10) * 10;
        const own = pointsOf(
          sound.subarray((fromMs * rateHz) / 1000, Math.floor((window.endMs * rateHz) / 1000)),
        );
        const source = windowPoints(whole, { part: openPart(window, []), givenUntilMs: Infinity });
        const expected = buildPyramid(own);
        const pyramid = await openPyramid(source);
        expect(pyramid.sizeBytes).toBe(expected.length);
        for (const [a, b] of [[0, pyramidHeaderBytes] as const, [0, expected.length] as const, ...ranges]) {
          const [from, until] = [Math.min(a, b), Math.max(a, b)];
          expect(Buffer.compare(await pyramid.read(from, until), expected.subarray(from, until))).toBe(0);
        }
        expect(await overviewOfSource(source)).toEqual(overviewOf(own));
      },
    ),
    { numRuns: 60 },
  );
});

test('the peaks of windows are silent between them, and end with what is given', async () => {
  const part = openPart({ startMs: 1005, endMs: Infinity }, [{ startMs: 2000, endMs: 3000 }]);
  const source = windowPoints(whole, { part, givenUntilMs: 3555 });
  const all = await source.read(0, source.points);
  expect(source.points).toBe(355 - 101);
  expect(Array.from(all.subarray(0, 2 * 99))).toEqual(Array.from(points.subarray(2 * 101, 2 * 200)));
  expect(all.subarray(2 * 99, 2 * 199).every((value) => value === 0)).toBe(true);
  expect(Array.from(all.subarray(2 * 199))).toEqual(Array.from(points.subarray(2 * 300, 2 * 355)));
  expect(windowPoints(whole, { part, givenUntilMs: 900 }).points).toBe(0);
});

test('a point whose sound starts before the window is left out, wherever it is drawn', async () => {
  const runs = [
    { startPoint: 0, points: 300, startMs: 0, toleranceMs: 0 },
    { startPoint: 400, points: 300, startMs: 3997, toleranceMs: 0 },
    { startPoint: 800, points: 300, startMs: 8000, toleranceMs: 10 },
  ];
  const first = async (startMs: number): Promise<number> => {
    const source = windowPoints(
      { ...whole, runs },
      { part: openPart({ startMs, endMs: startMs + 1000 }, []), givenUntilMs: Infinity },
    );
    return (await source.read(0, source.points)).findIndex((value) => value !== 0) / 2;
  };
  // The point drawn at 5000 ms covers 4997–5007 ms.
  expect([await first(1000), await first(5000), await first(9000)]).toEqual([0, 1, 1]);
});
