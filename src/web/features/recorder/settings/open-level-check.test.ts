import { expect, test } from 'vitest';
import { createLevelJudge } from './open-level-check.ts';

test('reports silence after five seconds without audio, until the next audio', () => {
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

test('reports a clipped sample as too loud for 2.5 seconds', () => {
  const judge = createLevelJudge();
  expect([judge(1, 0), judge(0.1, 2400), judge(0.1, 2600)]).toEqual(['loud', 'loud', 'fine']);
});
