import { expect, test } from 'vitest';
import { pauseAfterScanMs } from './pause-after-scan.ts';

test.each([
  ['a short scan, as soon as it may be', 5, 2000],
  ['a longer scan, when it takes one part in a hundred', 50, 5000],
  ['a very long scan, after half a minute', 4000, 30_000],
])('scans again after %s', (_, tookMs, pauseMs) => {
  expect(pauseAfterScanMs(tookMs, { minMs: 2000, parts: 100 })).toBe(pauseMs);
});
