import { parseArgs } from 'node:util';

export interface ExplorerOptions {
  seed: number;
  minutes: number;
  /** The acts of one walk to repeat; null: the pairs, then random walks. */
  walk: string[] | null;
  /** How long a sequence that failed is shortened. */
  shrinkMinutes: number;
}

/** Parses `--seed 7 --minutes 5 --shrink 3`, or `--walk 'record,stop'`. */
export function readExplorerOptions(args: readonly string[]): ExplorerOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      walk: { type: 'string' },
      shrink: { type: 'string' },
    },
  });
  return {
    seed: values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed),
    minutes: Number(values.minutes ?? '5'),
    walk: values.walk?.split(',').map((name) => name.trim()) ?? null,
    shrinkMinutes: Number(values.shrink ?? '3'),
  };
}
