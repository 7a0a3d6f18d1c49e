import { allKinds } from '#tests/faults/kinds/all-kinds.ts';
import { runJobs } from '#tests/faults/run/run-all.ts';
import { percentile, round, type Section } from './figures.ts';

const kills = Number(process.env.BENCH_KILLS ?? 50);

/**
 * Measures how much audio a browser loses when it is killed at a random moment of a take, in the recording that
 * the server has after the next visit.
 */
export async function killBench(): Promise<Section> {
  const kind = allKinds.find(({ name }) => name === 'browser killed');
  if (!kind) throw new Error('there is no fault kind "browser killed"');
  const outcomes = await runJobs([Array.from({ length: kills }, (_, index) => ({ kind, seed: index + 1 }))], {
    places: 2,
  });
  const losses = outcomes.map(({ worstLossMs }) => worstLossMs);
  return {
    title: `Sound lost by ${kills} kills of the browser (SIGKILL)`,
    note: 'Less than 40 ms cannot be distinguished from no loss with certainty: edges of codes are located to about 10 ms, and Opus blurs them by a frame.',
    rows: [
      {
        kills,
        'not as promised': outcomes.filter(({ findings }) => findings.length > 0).length,
        'median ms': round(percentile(losses, 0.5), 0),
        'worst ms': round(Math.max(...losses), 0),
      },
    ],
  };
}
