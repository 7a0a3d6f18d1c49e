import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boundedCount,
  boundedDurationMs,
  maxSoundMs,
  maxSoundMsOf,
  nearestWithin,
  wholeNumberWithin,
} from './untrusted-numbers.ts';

const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(
    0,
    1,
    -1,
    255,
    65_535,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 53,
    2 ** 62,
    Infinity,
    -Infinity,
    NaN,
  ),
);

test('accepts whole numbers within the limits, as a number or a bigint, and nothing else', () => {
  fc.assert(
    fc.property(anyNumber, (value) => {
      const passed = wholeNumberWithin(value, { min: -5, max: 1000 });
      expect(passed).toBe(Number.isInteger(value) && value >= -5 && value <= 1000 ? value : null);
    }),
  );
  expect([5n, -1n, 2n ** 62n, '5', undefined].map((value) => wholeNumberWithin(value))).toEqual([
    5,
    null,
    null,
    null,
    null,
  ]);
});

test('clamps a number to the limits, and NaN to the lower one', () => {
  fc.assert(
    fc.property(anyNumber, (value) => {
      const near = nearestWithin(value, { min: 10, max: 20 });
      expect(Number.isInteger(near) && near >= 10 && near <= 20).toBe(true);
    }),
  );
  expect([
    nearestWithin(NaN, { min: 1, max: 9 }),
    nearestWithin(Infinity, { min: 1, max: 9 }),
    nearestWithin(4.4, { min: 1, max: 9 }),
  ]).toEqual([1, 9, 4]);
});

test('limits the entries of a table to what its bytes can hold, and never below zero', () => {
  fc.assert(
    fc.property(
      anyNumber.filter((value) => !Number.isNaN(value)),
      fc.nat(1000),
      fc.integer({ min: 1, max: 16 }),
      (claimed, leftBytes, bytesEach) => {
        const count = boundedCount(claimed, { leftBytes, bytesEach });
        expect(count * bytesEach).toBeLessThanOrEqual(leftBytes);
        expect(count).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

test('limits a duration to what the bytes and packets can hold and to the longest recording', () => {
  fc.assert(
    fc.property(
      anyNumber,
      fc.nat(2 ** 31 - 1),
      fc.option(fc.nat(10_000)),
      (claimedMs, sizeBytes, packetsMs) => {
        const durationMs = boundedDurationMs(claimedMs, {
          sizeBytes,
          ...(packetsMs === null ? {} : { packetsMs }),
        });
        if (durationMs === null) return;
        expect(Number.isSafeInteger(durationMs)).toBe(true);
        expect(durationMs).toBeLessThanOrEqual(
          Math.min(maxSoundMs, Math.round(Math.min(maxSoundMsOf(sizeBytes), packetsMs ?? Infinity))),
        );
      },
    ),
  );
  expect(boundedDurationMs(60_000_001_320, { sizeBytes: 418 })).toBe(41_800);
  expect([
    boundedDurationMs(null, { sizeBytes: 9 }),
    boundedDurationMs(NaN, { sizeBytes: 9 }),
    boundedDurationMs(-1, { sizeBytes: 9 }),
  ]).toEqual([null, null, null]);
});
