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
/** A core suite that took longer hung or waited; it says nothing about the machine. */
const maxSlowness = 4;
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
  { leftMs, ...speed }: { spareMinutes?: number; slowness?: number; leftMs: number },
): Promise<Tally> {
  const { command, timeoutMs } = commandOf(suite, speed);
  const name = command.join(' ');
  const startedMs = performance.now();
  const { status, output, timedOut } = await runCommand(command, { timeoutMs: Math.min(timeoutMs, leftMs) });
  console.log(
    `${name}: ${((performance.now() - startedMs) / minute).toFixed(1)} min (planned: ${suite.minutes.toFixed(1)})\n`,
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
const elapsedMs = (): number => performance.now() - startedMs;
const [coreSuite] = ciSuites;
if (coreSuite === undefined) throw new Error('CI has no suites');
let total: Tally = await runSuite(coreSuite, { leftMs: latestEndMs });

// Two machines of one kind may differ by a factor of two, so the first suite measures this one.
const slowness = Math.min(Math.max(elapsedMs() / minute / coreSuite.minutes, 1), maxSlowness);
const plan = planSuites(ciSuites, {
  commitCount: Number(git('rev-list', '--count', 'HEAD')),
  changedFiles: changedFiles(),
  totalMinutes,
  slowness,
});
const plannedMinutes = minutesOf(plan.run);
console.log(
  `${plan.run.length} suites, planned for ${(plannedMinutes * slowness).toFixed(0)} min; this machine takes ${slowness.toFixed(1)} times the minutes of two idle cores`,
);
for (const { command } of plan.later) console.log(`has its turn in another run: ${command.join(' ')}`);
const divided = plan.run.filter(({ part }) => part !== undefined);
for (const { command, part } of divided)
  console.log(
    `only part ${part?.number} of ${part?.count}, because this machine is slow: ${command.join(' ')}`,
  );
total = add(total, { ...nothing, skipped: plan.later.length + divided.length });
for (const suite of plan.run.filter(({ command }) => command !== coreSuite.command)) {
  if (elapsedMs() > latestStartMs) {
    console.log(`Skipped, this machine was too slow: ${suite.command.join(' ')}`);
    total = add(total, { ...nothing, skipped: 1 });
  } else
    total = add(
      total,
      await runSuite(suite, {
        spareMinutes: totalMinutes / slowness - plannedMinutes,
        slowness,
        leftMs: latestEndMs - elapsedMs(),
      }),
    );
}
console.log(`all suites: ${(elapsedMs() / minute).toFixed(1)} min`);
process.exitCode = printClosing(total);
