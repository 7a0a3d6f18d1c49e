import { expect, test } from 'vitest';
import { latestOf, resumeAt } from './resume-rules.ts';

test('resumes where playback stopped, but starts over if that was close to the start or the end', () => {
  expect(resumeAt(754_000, 3_600_000)).toBe(754_000);
  expect([resumeAt(2999, 3_600_000), resumeAt(3_598_000, 3_600_000), resumeAt(0, 0)]).toEqual([
    null,
    null,
    null,
  ]);
});

test('uses the more recent of the positions on this device and on the server', () => {
  const [here, there] = [
    { playedAtMs: 1, positionMs: 5 },
    { playedAtMs: 2, positionMs: 9 },
  ];
  expect([
    latestOf(here, there),
    latestOf(there, here),
    latestOf(here, null),
    latestOf(null, there),
    latestOf(null, null),
  ]).toEqual([there, there, here, there, null]);
});
