import { existsSync, readFileSync } from 'node:fs';

/** What one suite came to. */
export interface Tally { passed: number; failed: number; skipped: number }

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 };

export const add = (a: Tally, b: Tally): Tally => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped });

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function numberAt(value: unknown, key: string): number {
  if (typeof value !== 'object' || value === null) return 0;
  const found = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'number' ? found : 0;
}

/** Reads the JSON report of vitest. */
export function vitestTally(file: string): Tally {
  const report = readJson(file);
  return { passed: numberAt(report, 'numPassedTests'), failed: numberAt(report, 'numFailedTests'), skipped: numberAt(report, 'numPendingTests') + numberAt(report, 'numTodoTests') };
}

/** Reads the JSON report of Playwright. */
export function playwrightTally(file: string): Tally {
  const report = readJson(file);
  const stats: unknown = typeof report === 'object' && report !== null && 'stats' in report ? report.stats : null;
  return { passed: numberAt(stats, 'expected'), failed: numberAt(stats, 'unexpected') + numberAt(stats, 'flaky'), skipped: numberAt(stats, 'skipped') };
}
