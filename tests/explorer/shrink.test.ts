import { describe, expect, it } from 'vitest';
import { shrink } from './shrink.ts';

const needs =
  (...needed: string[]) =>
  async (acts: readonly string[]): Promise<boolean> => {
    let next = 0;
    for (const act of acts) if (act === needed[next]) next += 1;
    return next === needed.length;
  };
const twenty = Array.from({ length: 20 }, (_, index) => `act ${index}`);

describe('shrink', () => {
  it('leaves only the acts that the failure needs, in their order', async () => {
    expect(await shrink(twenty, needs('act 3', 'act 11', 'act 19'))).toEqual(['act 3', 'act 11', 'act 19']);
  });

  it('leaves one of several equal acts', async () => {
    expect(await shrink(['a', 'b', 'a', 'b', 'a'], needs('a'))).toEqual(['a']);
  });

  it('leaves a sequence that needs all of its acts, and never tries an empty one', async () => {
    const tried: (readonly string[])[] = [];
    const fails = async (acts: readonly string[]) => {
      tried.push(acts);
      return needs('a', 'b', 'c')(acts);
    };
    expect(await shrink(['a', 'b', 'c'], fails)).toEqual(['a', 'b', 'c']);
    expect(tried).not.toContainEqual([]);
  });

  it('returns what it has when the time is up', async () => {
    let runs = 0;
    const shortest = await shrink(
      twenty,
      async (acts) => {
        runs += 1;
        return needs('act 3')(acts);
      },
      () => runs >= 1,
    );
    expect(runs).toBe(1);
    expect(shortest).toHaveLength(10);
  });
});
