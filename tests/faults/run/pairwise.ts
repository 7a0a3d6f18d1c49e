import { Random } from '#tests/faults/world/random.ts';

type Case = Record<string, string>;

const pairsOf = (one: Case): string[] => {
  const parts = Object.entries(one).map(([name, value]) => `${name}=${value}`);
  return parts.flatMap((first, i) => parts.slice(i + 1).map((second) => `${first} ${second}`));
};

function combinations(factors: Record<string, readonly string[]>): Case[] {
  return Object.entries(factors).reduce<Case[]>(
    (cases, [name, values]) => cases.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

/**
 * Chooses few of all combinations of the factors' values, so that every possible pair of values of two factors is in
 * one of them. The seed decides which.
 */
export function pairwise(
  factors: Record<string, readonly string[]>,
  { isPossible, seed }: { isPossible: (one: Case) => boolean; seed: number },
): Case[] {
  const random = new Random(seed);
  const possible = combinations(factors)
    .filter(isPossible)
    .map((one) => ({ one, order: random.next() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ one }) => ({ one, pairs: pairsOf(one) }));
  const open = new Set(possible.flatMap(({ pairs }) => pairs));
  const chosen: Case[] = [];
  while (open.size > 0) {
    const gain = ({ pairs }: { pairs: string[] }) => pairs.filter((pair) => open.has(pair)).length;
    const best = possible.reduce((max, next) => (gain(next) > gain(max) ? next : max));
    for (const pair of best.pairs) open.delete(pair);
    chosen.push(best.one);
  }
  return chosen;
}
