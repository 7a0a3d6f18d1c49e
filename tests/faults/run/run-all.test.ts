import { describe, expect, it } from 'vitest';
import type { FaultKind, Outcome } from '#tests/faults/kinds/outcome.ts';
import { runJobs } from './run-all.ts';

/** A kind whose successive runs have these results. Records the seed of each. */
function kindWith(results: Partial<Outcome>[]): { kind: FaultKind; seeds: number[] } {
  const seeds: number[] = [];
  const left = [...results];
  return {
    seeds,
    kind: {
      number: 1,
      name: 'a fault',
      allowedLossMs: 0,
      run: async (seed) => {
        seeds.push(seed);
        return left.shift() ?? {};
      },
    },
  };
}

const failed = { findings: ['the player did not start'] };

describe('a failed fault run', () => {
  it('is repeated once with its seed, and is flaky if it then passes', async () => {
    const { kind, seeds } = kindWith([failed, {}]);
    expect(await runJobs([[{ kind, seed: 7 }]], { repeats: true })).toMatchObject([
      { findings: [], flaky: 'the player did not start' },
    ]);
    expect(seeds).toEqual([7, 7]);
  });

  it('is failed if it fails a second time', async () => {
    const { kind, seeds } = kindWith([failed, failed, {}]);
    expect(await runJobs([[{ kind, seed: 7 }]], { repeats: true })).toMatchObject([
      { ...failed, flaky: null },
    ]);
    expect(seeds).toEqual([7, 7]);
  });

  it('is never repeated if audio is missing without a gap', async () => {
    const { kind, seeds } = kindWith([{ findings: ['80 ms are missing'], unexplainedMs: 80 }, {}]);
    expect(await runJobs([[{ kind, seed: 7 }]], { repeats: true })).toMatchObject([
      { unexplainedMs: 80, flaky: null },
    ]);
    expect(seeds).toEqual([7]);
  });

  it('is not repeated on a developer’s machine', async () => {
    const { kind, seeds } = kindWith([failed, {}]);
    expect(await runJobs([[{ kind, seed: 7 }]])).toMatchObject([failed]);
    expect(seeds).toEqual([7]);
  });
});
