import fc from 'fast-check';
import { expect, test } from 'vitest';
import { strangeAnswers, withEachNumber } from '#tests/support/damaged-numbers.ts';
import { overviewOf, overviewOfSource } from './peaks-overview.ts';
import {
  buildPyramid,
  pyramidBytes,
  pyramidHeaderBytes,
  pyramidPieces,
  readPyramidHeader,
} from './peaks-pyramid.ts';
import { reduceLevel } from './reduce-peaks.ts';

const anyPoints = fc
  .oneof(fc.nat(200), fc.nat(30_000))
  .chain((count) => fc.integer({ min: 1, max: 2 ** 31 - 1 }).map((seed) => randomPoints(count, seed)));

function randomPoints(count: number, seed: number): Int8Array {
  const points = new Int8Array(count * 2);
  let state = seed;
  for (let index = 0; index < points.length; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    points[index] = (state >> 12) & 255;
  }
  return points;
}

test('covers in every point of every level exactly the finest points below it', () => {
  fc.assert(
    fc.property(anyPoints, (points) => {
      const file = buildPyramid(points);
      const header = readPyramidHeader(file);
      expect(header).toMatchObject({ pointsPerSecond: 100, reduction: 4, points: points.length / 2 });
      for (const level of header?.levels ?? []) {
        const view = new Int8Array(file.buffer, level.offsetBytes, level.points * 2);
        expect(level.points).toBe(Math.ceil(points.length / 2 / level.finestPointsPerPoint));
        for (let index = 0; index < level.points; index += Math.max(1, Math.floor(level.points / 50))) {
          const under = points.subarray(
            index * level.finestPointsPerPoint * 2,
            (index + 1) * level.finestPointsPerPoint * 2,
          );
          expect(view[index * 2]).toBe(Math.min(...under.filter((_, at) => at % 2 === 0)));
          expect(view[index * 2 + 1]).toBe(Math.max(...under.filter((_, at) => at % 2 === 1)));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('stores levels coarsest first without holes, and only the coarsest fits a screen', () => {
  fc.assert(
    fc.property(anyPoints, (points) => {
      const file = buildPyramid(points);
      const levels = readPyramidHeader(file)?.levels ?? [];
      let offsetBytes = pyramidHeaderBytes;
      for (const [index, level] of levels.entries()) {
        expect(level.offsetBytes).toBe(offsetBytes);
        expect(level.points <= 1000).toBe(index === 0);
        offsetBytes += level.points * 2;
      }
      expect(file.length).toBe(offsetBytes);
    }),
  );
});

test('draws all of twelve hours from the first 4 kB', () => {
  const header = readPyramidHeader(
    buildPyramid(new Int8Array(12 * 360_000 * 2)).subarray(0, pyramidHeaderBytes),
  );
  const [coarsest] = header?.levels ?? [];
  expect(coarsest?.points).toBeGreaterThan(250);
  expect((coarsest?.offsetBytes ?? 0) + (coarsest?.points ?? 0) * 2).toBeLessThanOrEqual(4096);
});

test('writes a header with one empty level for no points, and drops half a point', () => {
  expect(readPyramidHeader(buildPyramid(new Int8Array()))).toMatchObject({
    points: 0,
    levels: [{ offsetBytes: 256, points: 0 }],
  });
  expect(buildPyramid(Int8Array.of(-1, 1, -2)).length).toBe(pyramidHeaderBytes + 2);
});

test('rejects bytes that are not a pyramid', () => {
  const file = buildPyramid(randomPoints(10, 1));
  expect(readPyramidHeader(file.subarray(0, 255))).toBeNull();
  expect(readPyramidHeader(file.map((byte, index) => (index === 7 ? 200 : byte)))).toBeNull();
  expect(readPyramidHeader(new Uint8Array(300))).toBeNull();
});

test('reduces in steps to the same result as once by their product', () => {
  fc.assert(
    fc.property(anyPoints, (points) => {
      expect(reduceLevel(reduceLevel(points, 4), 4)).toEqual(reduceLevel(points, 16));
    }),
    { numRuns: 20, examples: [[randomPoints(1_100_001, 7)]] },
  );
});

test('returns the requested number of values, at most one per point, each 0–127 and as loud as its share', () => {
  fc.assert(
    fc.property(anyPoints, fc.integer({ min: 1, max: 200 }), (points, count) => {
      const overview = overviewOf(points, count);
      expect(overview.length).toBe(Math.min(count, points.length / 2));
      expect(overview.every((value) => value <= 127)).toBe(true);
    }),
  );
  const loudThenSilent = Int8Array.from({ length: 400 }, (_, index) =>
    index < 200 ? ([-100, 100][index % 2] ?? 0) : 0,
  );
  expect(Array.from(overviewOf(loudThenSilent, 4))).toEqual([100, 100, 0, 0]);
  expect(Array.from(overviewOf(Int8Array.of(-128, 127), 4))).toEqual([127]);
});

test('builds the same pyramid and overview from points read in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(anyPoints, async (points) => {
      const source = {
        points: points.length / 2,
        read: async (from: number, to: number) => points.subarray(from * 2, to * 2),
      };
      const pieces: Uint8Array[] = [];
      for await (const piece of pyramidPieces(source)) pieces.push(piece);
      const whole = buildPyramid(points);
      expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(pyramidBytes(source.points));
      expect(Buffer.compare(Buffer.concat(pieces), whole)).toBe(0);
      expect(await overviewOfSource(source)).toEqual(overviewOf(points));
    }),
    { numRuns: 30 },
  );
});

test('rejects a pyramid with any damaged number, or its levels are within the file', async () => {
  const whole = buildPyramid(new Int8Array(6000).fill(3));
  expect(
    await strangeAnswers(withEachNumber(whole, { toByte: 64, orders: ['little-endian'] }), (bytes) => {
      const header = readPyramidHeader(bytes);
      const last = header?.levels.at(-1);
      return (
        header === null ||
        (last !== undefined &&
          last.offsetBytes + last.points * 2 === whole.length &&
          header.pointsPerSecond > 0 &&
          header.reduction > 1)
      );
    }),
  ).toEqual([]);
});
