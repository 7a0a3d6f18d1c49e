import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { printClosing, vitestTally, withExit, type Tally } from './summary.ts';
import { withTestPostgres } from './postgres-for-tests.ts';

/** Runs vitest with the given arguments, on PostgreSQL too if it is installed. Reports to `.cache/<name>.json`. */
export async function runVitest({ name, args = [] }: { name: string; args?: string[] }): Promise<Tally> {
  const report = `.cache/${name}.json`;
  mkdirSync('.cache', { recursive: true });
  rmSync(report, { force: true });
  return withTestPostgres((environment) => {
    const { status } = spawnSync(
      'vitest',
      ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      { stdio: 'inherit', env: { ...process.env, ...environment } },
    );
    return withExit(vitestTally(report), status === 0, `vitest (${name})`);
  });
}

/** Runs a vitest suite as a script. The last line of its output is `N passed, N failed, N skipped`. */
export async function runVitestSuite(options: { name: string; args?: string[] }): Promise<void> {
  process.exitCode = printClosing(await runVitest(options));
}
