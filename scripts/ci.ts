import { execFileSync } from 'node:child_process';
import { hour, minute } from '#base/duration.ts';
import { commandOf, minutesOf, planSuites, type CiSuite } from './ci-schedule.ts';
import { ciSuites, totalMinutes } from './ci-suites.ts';
import { runCommand } from './run-command.ts';
import { add, nothing, printClosing, readClosing, type Tally } from './summary.ts';

// `.ci/run` runs this after installing: the README's test command, then the slower suites. With `CI` set, a failed
// browser test or fault run is retried, and reported as flaky if it passes then (docs/testing.md).

/** On a machine so slow that this time passes, the suites that are left are not started. */
const latestStartMs = 80 * minute;
/** What still runs then is ended, because CI itself ends after 90 minutes and would print nothing. */
const latestEndMs = 87 * minute;
/** How old a commit may be, compared with the newest one, for its files to count as changed. */
const changedWithinMs = 12 * hour;

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** The files that the newest commits changed: those of the last hours before the newest one. */
function changedFiles(): string[] {
  const newestMs = Number(git('log', '-1', '--format=%ct')) * 1000;
  const since = new Date(newestMs - changedWithinMs).toISOString();
  return [...new Set(git('log', `--since=${since}`, '--name-only', '--format=').split('\n'))].filter(Boolean);
}

async function runSuite(
  suite: CiSuite,
  { spareMinutes, leftMs }: { spareMinutes: number; leftMs: number },
): Promise<Tally> {
  const { command, timeoutMs } = commandOf(suite, spareMinutes);
  const name = command.join(' ');
  const startedMs = performance.now();
  const { status, output, timedOut } = await runCommand(command, { timeoutMs: Math.min(timeoutMs, leftMs) });
  console.log(
    `${name}: ${((performance.now() - startedMs) / minute).toFixed(1)} min (planned: ${suite.minutes})\n`,
  );
  const tally = readClosing(output);
  if (timedOut || tally === null)
    return add(tally ?? nothing, {
      ...nothing,
      failed: 1,
      failures: [
        `${name} ${timedOut ? 'ran too long and was ended' : `ended with ${status} before its closing line`}`,
      ],
    });
  if (status !== 0 && tally.failed === 0)
    return add(tally, { ...nothing, failed: 1, failures: [`${name} ended with ${status}`] });
  const inSuite = (line: string) => `${line} [${name}]`;
  return { ...tally, failures: tally.failures.map(inSuite), flaky: tally.flaky.map(inSuite) };
}

process.env['CI'] ??= 'true';
const startedMs = performance.now();
const plan = planSuites(ciSuites, {
  commitCount: Number(git('rev-list', '--count', 'HEAD')),
  changedFiles: changedFiles(),
  totalMinutes,
});
const plannedMinutes = minutesOf(plan.run);
console.log(`${plan.run.length} suites, planned for ${plannedMinutes} min`);
for (const { command } of plan.later) console.log(`has its turn in another run: ${command.join(' ')}`);
let total: Tally = { ...nothing, skipped: plan.later.length };
for (const suite of plan.run) {
  const elapsedMs = performance.now() - startedMs;
  if (elapsedMs > latestStartMs) {
    console.log(`Skipped, this machine was too slow: ${suite.command.join(' ')}`);
    total = add(total, { ...nothing, skipped: 1 });
  } else
    total = add(
      total,
      await runSuite(suite, {
        spareMinutes: totalMinutes - plannedMinutes,
        leftMs: latestEndMs - elapsedMs,
      }),
    );
}
console.log(`all suites: ${((performance.now() - startedMs) / minute).toFixed(1)} min`);
process.exitCode = printClosing(total);
