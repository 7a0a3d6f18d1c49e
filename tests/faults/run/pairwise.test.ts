import { describe, expect, it } from 'vitest';
import { pairwise } from './pairwise.ts';

const factors = { engine: ['a', 'b'], fault: ['1', '2', '3'], start: ['0', '1', '2', '3'] };
const isPossible = ({ engine, fault }: Record<string, string>) => !(engine === 'b' && fault === '3');

describe('pairwise', () => {
  it('covers every possible pair of values with fewer cases than there are', () => {
    const cases = pairwise(factors, { isPossible, seed: 7 });
    for (const fault of factors.fault)
      for (const start of factors.start)
        expect(cases).toContainEqual(expect.objectContaining({ fault, start }));
    for (const start of factors.start)
      expect(cases).toContainEqual(expect.objectContaining({ engine: 'b', start }));
    expect(cases.every(isPossible)).toBe(true);
    expect(cases.length).toBeLessThan(20);
  });

  it('chooses the same cases for the same seed', () => {
    expect(pairwise(factors, { isPossible, seed: 7 })).toEqual(pairwise(factors, { isPossible, seed: 7 }));
    expect(pairwise(factors, { isPossible, seed: 7 })).not.toEqual(
      pairwise(factors, { isPossible, seed: 8 }),
    );
  });
});
