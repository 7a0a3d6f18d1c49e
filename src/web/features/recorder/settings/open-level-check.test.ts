import { expect, test } from 'vitest';
import { createLevelJudge } from './open-level-check.ts';

test('five seconds without sound are silence, and the first sound ends it', () => {
  const judge = createLevelJudge();
  expect([
    judge(0, 0),
    judge(0.0005, 4900),
    judge(0, 5000),
    judge(0.01, 5020),
    judge(0, 9000),
    judge(0, 14_000),
  ]).toEqual(['fine', 'fine', 'silent', 'fine', 'fine', 'silent']);
});

test('a sample at the end of the scale is too loud for a while', () => {
  const judge = createLevelJudge();
  expect([judge(1, 0), judge(0.1, 2400), judge(0.1, 2600)]).toEqual(['loud', 'loud', 'fine']);
});
