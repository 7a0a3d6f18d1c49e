import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTimecode } from './format-timecode.ts';

test.each([
  [0, '00:00', '00:00.0'],
  [999, '00:00', '00:00.9'],
  [1_447_340, '24:07', '24:07.3'],
  [3_599_999, '59:59', '59:59.9'],
  [3_600_000, '1:00:00', '1:00:00.0'],
  [43_200_050, '12:00:00', '12:00:00.0'],
  [-5, '00:00', '00:00.0'],
  [Number.NaN, '00:00', '00:00.0'],
  [Number.POSITIVE_INFINITY, '00:00', '00:00.0'],
])('%d ms is %s, with tenths %s', (ms, plain, withTenths) => {
  expect(formatTimecode(ms)).toBe(plain);
  expect(formatTimecode(ms, { tenths: true })).toBe(withTenths);
});

test('never runs ahead of the time, because it is truncated', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 * 3_600_000 }), (ms) => {
      const parts = formatTimecode(ms, { tenths: true }).split(':').map(Number);
      const shownMs = Math.round(parts.reduce((seconds, part) => seconds * 60 + part, 0) * 1000);
      expect(ms - shownMs).toBeGreaterThanOrEqual(0);
      expect(ms - shownMs).toBeLessThan(100);
    }),
  );
});
