import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';

/** What one suite came to, and what failed in it: each by its name, with the beginning of its reason. */
export interface Tally { passed: number; failed: number; skipped: number; failures: string[] }

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

export const add = (a: Tally, b: Tally): Tally =>
  ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped, failures: [...a.failures, ...b.failures] });

const vitestReport = z.object({
  numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number(), numTodoTests: z.number(),
  testResults: z.array(z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).optional() })) })),
});

const playwrightError = z.object({ message: z.string().optional(), location: z.object({ line: z.number() }).optional() });
const playwrightSpec = z.object({
  title: z.string(), file: z.string(), line: z.number(), ok: z.boolean(),
  tests: z.array(z.object({ results: z.array(z.object({ errors: z.array(playwrightError) })) })),
});

interface PlaywrightSuite { specs: z.infer<typeof playwrightSpec>[]; suites?: PlaywrightSuite[] | undefined }

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(playwrightSpec),
  get suites() { return z.array(playwrightSuite).optional(); },
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
});

function readReport<T>(file: string, schema: z.ZodType<T>): T | null {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

const longestReason = 600;

/** A log that shows only its end still tells why: name and reason are one line. */
function withReason(name: string, reasons: readonly string[]): string {
  const reason = stripVTControlCharacters(reasons.join(' | ')).replaceAll(/\s+/g, ' ').trim();
  return reason === '' ? name : `${name} (${reason.slice(0, longestReason)})`;
}

/** Reads the JSON report of vitest; a file that could not even be loaded is a failure of its own. */
export function vitestTally(file: string): Tally {
  const report = readReport(file, vitestReport);
  if (report === null) return nothing;
  const failures = report.testResults.filter(({ status }) => status === 'failed').flatMap(({ name, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName, failureMessages = [] }) => withReason(`${relative(process.cwd(), name)}: ${fullName}`, failureMessages));
    return failed.length > 0 ? failed : [name];
  });
  return { passed: report.numPassedTests, failed: Math.max(report.numFailedTests, failures.length), skipped: report.numPendingTests + report.numTodoTests, failures };
}

const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];

const reasonsOf = ({ tests }: z.infer<typeof playwrightSpec>): string[] => tests.flatMap(({ results }) => results).flatMap(({ errors }) => errors)
  .map(({ message = '', location }) => (location ? `line ${location.line}: ${message}` : message));

/** Reads the JSON report of Playwright. A test that passed only when it was run again has failed. */
export function playwrightTally(file: string): Tally {
  const report = readReport(file, playwrightReport);
  if (report === null) return nothing;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failures = report.suites.flatMap(specsOf).filter(({ ok }) => !ok).map((spec) => withReason(`${spec.file}:${spec.line} ${spec.title}`, reasonsOf(spec)));
  return { passed: expected, failed: unexpected + flaky, skipped, failures };
}

/** A program that ended badly without a failed test in its report has failed all the same. */
export function withExit(tally: Tally, ok: boolean, name: string): Tally {
  return ok || tally.failed > 0 ? tally : { ...tally, failed: 1, failures: [`${name} ended badly, with no failed test`] };
}

/** Prints what failed, by name, and the closing line `N passed, N failed, N skipped`; answers with the exit code. */
export function printClosing({ passed, failed, skipped, failures }: Tally): number {
  for (const name of failures) console.log(`failed: ${name}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}
