import { minute } from '#base/duration.ts';
import { scheduleSuite, type CiSuite } from './ci-schedule.ts';
import { runCommand } from './run-command.ts';
import { add, nothing, printClosing, readClosing, type Tally } from './summary.ts';

// `.ci/run` runs this after installing: the README's test command, then the slower suites, within 70 minutes on
// two cores. With `CI` set, a failed browser test or fault run is retried, and reported as flaky if it passes then
// (docs/testing.md).
const totalMs = 70 * minute;

const suites: CiSuite[] = [
  { command: ['npm', 'test'], minutes: 22, isRequired: true },
  { command: ['npm', 'run', 'test:browser', '--', '--grep-invert', '@core'], minutes: 18, isRequired: true },
  {
    command: ['npm', 'run', 'test:faults', '--', '--runs', '3'],
    minutes: 4,
    extraMinutes: 8,
    isRequired: true,
  },
  { command: ['npm', 'run', 'test:abuse'], minutes: 8, isRequired: true },
  { command: ['npm', 'run', 'test:s3'], minutes: 3 },
  { command: ['npm', 'run', 'test:backups'], minutes: 2 },
  { command: ['npm', 'run', 'test:upgrade'], minutes: 2 },
  { command: ['npm', 'run', 'test:nodes'], minutes: 6 },
  { command: ['npm', 'run', 'test:image'], minutes: 5 },
  { command: ['npm', 'run', 'test:languages'], minutes: 2 },
  { command: ['npm', 'run', 'test:accessibility'], minutes: 5 },
  { command: ['npm', 'run', 'test:visual'], minutes: 1 },
];

async function runSuite(
  suite: CiSuite,
  { leftMs, later }: { leftMs: number; later: CiSuite[] },
): Promise<Tally> {
  const decision = scheduleSuite(suite, { leftMs, later });
  if (!decision.run) {
    console.log(`Skipped, too little time is left: ${suite.command.join(' ')}`);
    return { ...nothing, skipped: 1 };
  }
  const name = decision.command.join(' ');
  const startedMs = performance.now();
  const { status, output, timedOut } = await runCommand(decision.command, decision);
  console.log(`${name}: ${((performance.now() - startedMs) / minute).toFixed(1)} min\n`);
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
let total = nothing;
for (const [index, suite] of suites.entries()) {
  total = add(
    total,
    await runSuite(suite, {
      leftMs: totalMs - (performance.now() - startedMs),
      later: suites.slice(index + 1),
    }),
  );
}
console.log(`all suites: ${((performance.now() - startedMs) / minute).toFixed(1)} min`);
process.exitCode = printClosing(total);
