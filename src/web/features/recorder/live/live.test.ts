import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { easeHead, liveX } from './draw-live-wave.ts';
import { meterShare } from './level-meter.tsx';
import { createLivePeaks } from './live-peaks.ts';

describe('the live wave', () => {
  test('shows the newest audio at the right edge and older audio further left', () => {
    const view = { widthPx: 400, head: 600 };
    expect(liveX(600, view)).toBe(398);
    expect(liveX(594, view)).toBe(394);
  });

  test('moves towards the newest audio and never past it', () => {
    const rule = fc.property(
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 0, max: 90 }),
      fc.integer({ min: 1, max: 200 }),
      (shown, gap, elapsedMs) => {
        const next = easeHead(shown, shown + gap, elapsedMs);
        return next >= shown && next <= shown + gap;
      },
    );
    expect(fc.check(rule).counterexample).toBeNull();
  });

  test('jumps to the newest audio if it was not drawn for long', () => {
    expect(easeHead(0, 5000, 16)).toBe(5000);
  });
});

describe('the ring of live peaks', () => {
  test('returns the largest amplitude of either sign', () => {
    const peaks = createLivePeaks();
    peaks.push(Int8Array.of(-127, 10, -5, 20));
    expect(peaks.count()).toBe(2);
    expect(peaks.loudest(0, 1)).toBe(1);
    expect(peaks.loudest(1, 2)).toBeCloseTo(20 / 127);
  });

  test('stores one minute and drops older points', () => {
    const peaks = createLivePeaks();
    peaks.push(Int8Array.of(-127, 127));
    peaks.push(new Int8Array(2 * 6000));
    expect(peaks.loudest(0, 10)).toBe(0);
  });

  test('is reset by each take', () => {
    const peaks = createLivePeaks();
    peaks.push(Int8Array.of(-1, 1));
    peaks.start(0);
    expect(peaks.count()).toBe(0);
    expect(peaks.loudest(0, 1)).toBe(0);
  });
});

describe('gaps on the live wave', () => {
  test('take up their time, so that later audio is at the right position', () => {
    const peaks = createLivePeaks();
    peaks.push(new Int8Array(2 * 100).fill(9));
    peaks.markGaps([{ atMs: 1000, durationMs: 500, cause: 'microphone-lost' }]);
    peaks.push(Int8Array.of(0, 127));
    expect(peaks.count()).toBe(151);
    expect([
      peaks.isGap(0, 100),
      peaks.isGap(100, 101),
      peaks.isGap(149, 150),
      peaks.isGap(150, 151),
    ]).toEqual([false, true, true, false]);
    expect(peaks.loudest(100, 150)).toBe(0);
    expect(peaks.loudest(150, 151)).toBe(1);
  });

  test('are unchanged if they are marked twice', () => {
    const peaks = createLivePeaks();
    const gaps = [{ atMs: 0, durationMs: 300, cause: 'unknown' as const }];
    peaks.markGaps(gaps);
    peaks.markGaps(gaps);
    expect(peaks.count()).toBe(30);
  });

  test('of days are marked at the right length', () => {
    const peaks = createLivePeaks();
    peaks.markGaps([{ atMs: 0, durationMs: 48 * 3_600_000, cause: 'page-killed' }]);
    expect(peaks.count()).toBe(48 * 360_000);
    expect(peaks.isGap(48 * 360_000 - 6000, 48 * 360_000)).toBe(true);
  });
});

test('draws a resumed take from its existing length', () => {
  const peaks = createLivePeaks();
  peaks.start(2000);
  peaks.push(Int8Array.of(-127, 1));
  expect(peaks.count()).toBe(201);
  expect(peaks.loudest(200, 201)).toBe(1);
});

test('fills the meter from empty in silence to full at the loudest', () => {
  expect([meterShare(0), meterShare(1)]).toEqual([0, 1]);
  expect(meterShare(0.1)).toBeGreaterThan(meterShare(0.01));
});
