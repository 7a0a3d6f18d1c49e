import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';

/**
 * The result of a suite. `failures` and `flaky` have one line per test: its name, then the start of its reason. A
 * flaky test counts as passed.
 */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
  flaky: string[];
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };

export const add = (a: Tally, b: Tally): Tally => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
  failures: [...a.failures, ...b.failures],
  flaky: [...a.flaky, ...b.flaky],
});

const vitestTest = z.object({
  fullName: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).optional(),
});
const vitestFile = z.object({
  name: z.string(),
  status: z.string(),
  assertionResults: z.array(vitestTest),
});
type VitestTest = z.infer<typeof vitestTest>;
type VitestFile = z.infer<typeof vitestFile>;

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(vitestFile),
});

const playwrightError = z.object({
  message: z.string().optional(),
  location: z.object({ line: z.number() }).optional(),
});
const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  ok: z.boolean(),
  tests: z.array(
    z.object({ status: z.string(), results: z.array(z.object({ errors: z.array(playwrightError) })) }),
  ),
});

interface PlaywrightSuite {
  specs: z.infer<typeof playwrightSpec>[];
  suites?: PlaywrightSuite[] | undefined;
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(playwrightSpec),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite),
});

function readReport<T>(file: string, schema: z.ZodType<T>): T | null {
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

const maxReasonLength = 600;

/** Joins name and reason in one line, so that the end of a log still shows why. */
function withReason(name: string, reasons: readonly string[]): string {
  const reason = stripVTControlCharacters(reasons.join(' | ')).replaceAll(/\s+/g, ' ').trim();
  return reason === '' ? name : `${name} (${reason.slice(0, maxReasonLength)})`;
}

/** Reads vitest's JSON report. A file that could not be loaded counts as a failure, a test that passed on a retry as flaky. */
export function vitestTally(file: string): Tally {
  const report = readReport(file, vitestReport);
  if (report === null) return nothing;
  const linesOf = (
    { name, assertionResults }: VitestFile,
    isWanted: (test: VitestTest) => boolean,
  ): string[] =>
    assertionResults
      .filter(isWanted)
      .map(({ fullName, failureMessages = [] }) =>
        withReason(`${relative(process.cwd(), name)}: ${fullName}`, failureMessages),
      );
  const failures = report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap((testFile) => {
      const failed = linesOf(testFile, ({ status }) => status === 'failed');
      return failed.length > 0 ? failed : [testFile.name];
    });
  const isFlaky = ({ status, failureMessages = [] }: VitestTest) =>
    status === 'passed' && failureMessages.length > 0;
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, failures.length),
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    flaky: report.testResults.flatMap((testFile) => linesOf(testFile, isFlaky)),
  };
}

const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...suite.specs,
  ...(suite.suites ?? []).flatMap(specsOf),
];

const reasonsOf = ({ tests }: z.infer<typeof playwrightSpec>): string[] =>
  tests
    .flatMap(({ results }) => results)
    .flatMap(({ errors }) => errors)
    .map(({ message = '', location }) => (location ? `line ${location.line}: ${message}` : message));

const lineOf = (spec: z.infer<typeof playwrightSpec>): string =>
  withReason(`${spec.file}:${spec.line} ${spec.title}`, reasonsOf(spec));

/** Reads Playwright's JSON report. A test that passed on a retry counts as passed and is listed as flaky. */
export function playwrightTally(file: string): Tally {
  const report = readReport(file, playwrightReport);
  if (report === null) return nothing;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const specs = report.suites.flatMap(specsOf);
  return {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: specs.filter(({ ok }) => !ok).map(lineOf),
    flaky: specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(lineOf),
  };
}

/** Counts a program with a bad exit code as failed even if its report has no failed test. */
export function withExit(tally: Tally, ok: boolean, name: string): Tally {
  return ok || tally.failed > 0
    ? tally
    : { ...tally, failed: 1, failures: [`${name} ended badly, with no failed test`] };
}

/** The list of flaky tests of the last run. */
const flakyFile = '.cache/flaky.json';

/**
 * Prints flaky and failed tests by name, then the closing line `N passed, N failed, N skipped`. Writes the flaky
 * ones to `.cache/flaky.json`. Returns the exit code.
 */
export function printClosing({ passed, failed, skipped, failures, flaky }: Tally): number {
  mkdirSync(dirname(flakyFile), { recursive: true });
  writeFileSync(flakyFile, `${JSON.stringify(flaky, null, 2)}\n`);
  for (const name of flaky) console.log(`flaky: ${name}`);
  for (const name of failures) console.log(`failed: ${name}`);
  if (flaky.length > 0) console.log(`${flaky.length} flaky`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed === 0 ? 0 : 1;
}

const closingLine = /^(\d+) passed, (\d+) failed, (\d+) skipped$/;

/**
 * Reads the result of a command from its output: its closing line and the lines `flaky: …` and `failed: …`. Null
 * if there is no closing line.
 */
export function readClosing(output: string): Tally | null {
  const lines = output.split(/\r?\n/);
  const closing = lines.map((line) => closingLine.exec(line)).findLast((match) => match !== null);
  if (!closing) return null;
  const named = (prefix: string) =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
  const [passed, failed, skipped] = closing.slice(1).map(Number);
  return {
    passed: passed ?? 0,
    failed: failed ?? 0,
    skipped: skipped ?? 0,
    failures: named('failed: '),
    flaky: named('flaky: '),
  };
}
