import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timeSoFar } from './elapsed.ts';
import { processorMsOf, timesVariable } from './processor-times.ts';
import { withTestPostgres } from './postgres-for-tests.ts';
import { runCommand } from './run-command.ts';
import { vitestTally, withExit, type Tally } from './summary.ts';

export interface VitestSuite {
  /** Names the report, `.cache/<name>.report.json`, and the list of processor times. */
  name: string;
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
}

const reporter = join(import.meta.dirname, 'progress-reporter.ts');

/** What a run used. `processorMs` is null where it can't be measured. */
export interface VitestRun {
  tally: Tally;
  processorMs: number | null;
  /** The file with one line per test file (`processor-times.ts`). */
  timesFile: string;
}

/** Runs vitest with the given arguments, on PostgreSQL too if it is installed. */
export async function runVitest({ name, args = [], env = {} }: VitestSuite): Promise<VitestRun> {
  // Not `<name>.json`: TypeScript would read the report of the suite `package` as a manifest.
  const [report, timesFile] = [`.cache/${name}.report.json`, `.cache/${name}.times.jsonl`];
  mkdirSync('.cache', { recursive: true });
  for (const file of [report, timesFile]) rmSync(file, { force: true });
  return withTestPostgres(async (postgres, postgresPid) => {
    const before = processorMsOf('self');
    const { status } = await runCommand(
      ['vitest', 'run', `--reporter=${reporter}`, '--reporter=json', `--outputFile.json=${report}`, ...args],
      { env: { ...process.env, ...postgres, ...env, [timesVariable]: timesFile }, prefix: timeSoFar },
    );
    const after = processorMsOf('self');
    const ofPostgres = postgresPid === null ? 0 : processorMsOf(postgresPid);
    return {
      tally: withExit(vitestTally(report), status === 0, `vitest (${name})`),
      processorMs:
        before === null || after === null || ofPostgres === null ? null : after - before + ofPostgres,
      timesFile,
    };
  });
}
