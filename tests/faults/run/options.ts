import { parseArgs } from 'node:util';

export interface RunOptions {
  runs: number | null;
  seed: number;
  kinds: number[] | null;
  isExact: boolean;
  minutes: number | null;
  /** Whether the faults happen in Firefox and WebKitGTK with a real sound server, instead of in Chromium. */
  isInEngines: boolean;
  /** A part of the names of the kinds to run. */
  only: string;
}

/**
 * Parses `--runs 200 --seed 7 --kinds 2,7`. `--exact` repeats one run with its own seed, `--minutes 20` limits the
 * duration, `--engines` chooses the faults in Firefox and WebKitGTK, and `--only 'Firefox, PCM'` those whose name
 * contains this.
 */
export function readOptions(args: string[]): RunOptions {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string' },
      seed: { type: 'string' },
      kinds: { type: 'string' },
      exact: { type: 'boolean' },
      minutes: { type: 'string' },
      engines: { type: 'boolean' },
      only: { type: 'string' },
    },
  });
  return {
    runs: values.runs === undefined ? null : Number(values.runs),
    seed: values.seed === undefined ? Math.floor(Date.now() % 1_000_000_000) : Number(values.seed),
    kinds: values.kinds === undefined ? null : values.kinds.split(',').map(Number),
    isExact: values.exact ?? false,
    minutes: values.minutes === undefined ? null : Number(values.minutes),
    isInEngines: values.engines ?? false,
    only: values.only ?? '',
  };
}
