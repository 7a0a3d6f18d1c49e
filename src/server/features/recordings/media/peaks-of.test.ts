import { expect, test } from 'vitest';
import { hour, second } from '#base/duration.ts';
import { limits, peaksFormat } from '#contract/limits.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { peaksPointsOf } from './peaks-of.ts';

const pointsIn = (ms: number): number => (ms / second) * peaksFormat.pointsPerSecond;

const segment = (index: number, startMs: number, lengthMs: number): StoredSegment => ({
  uploadId: `${index}`,
  stream: 'peaks',
  index,
  startMs,
  blobKey: `peaks-${index}`,
  sizeBytes: pointsIn(lengthMs) * peaksFormat.bytesPerPoint,
  sha256: null,
  sealedAtMs: null,
  container: 'ogg',
  remuxedBytes: null,
  remuxedContainer: null,
  packetSamples: null,
  verifiedAtMs: null,
  damagedAtMs: null,
  changedAtMs: 0,
});

test('segments are placed at their starts, and all of the longest take is drawn', () => {
  expect(peaksPointsOf([segment(0, 0, hour), segment(1, 2 * hour, hour)])).toBe(pointsIn(3 * hour));
  expect(
    peaksPointsOf([segment(0, 0, limits.maxTakeMs - hour), segment(1, limits.maxTakeMs - hour, hour)]),
  ).toBe(pointsIn(limits.maxTakeMs));
});

test('many segments together are drawn only slightly beyond the longest take', () => {
  expect(
    peaksPointsOf(Array.from({ length: 100 }, (_, index) => segment(index, 0, limits.maxTakeMs))),
  ).toBeLessThan(pointsIn(limits.maxTakeMs + 2 * hour));
});
