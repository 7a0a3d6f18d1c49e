import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { add, nothing, playwrightTally, vitestTally, withExit } from './summary.ts';

function reportFile(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'earshot-summary-')), 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

describe('the summary of a run', () => {
  it('names each failed unit test by its file, with its reason on the same line, and a file that could not be loaded', () => {
    const file = reportFile({
      numPassedTests: 4, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1,
      testResults: [
        { name: 'a.test.ts', status: 'failed', assertionResults: [{ fullName: 'a breaks', status: 'failed', failureMessages: ['\u001b[31mexpected 1\nto be 2\u001b[39m'] }, { fullName: 'a holds', status: 'passed' }] },
        { name: 'b.test.ts', status: 'failed', assertionResults: [] },
        { name: 'c.test.ts', status: 'passed', assertionResults: [{ fullName: 'c holds', status: 'passed' }] },
      ],
    });
    expect(vitestTally(file)).toEqual({ passed: 4, failed: 2, skipped: 3, failures: ['a.test.ts: a breaks (expected 1 to be 2)', 'b.test.ts'] });
  });

  it('finds failed browser tests in groups within groups, and counts one that passed when run again as failed', () => {
    const spec = (title: string, ok: boolean) => ({ title, file: 'x.spec.ts', line: 7, ok, tests: [{ results: [{ errors: ok ? [] : [{ message: 'x'.repeat(700), location: { line: 9 } }] }] }] });
    const file = reportFile({
      stats: { expected: 2, unexpected: 1, flaky: 1, skipped: 0 },
      suites: [{ specs: [spec('plays', true)], suites: [{ specs: [spec('records', false)] }] }],
    });
    expect(playwrightTally(file)).toEqual({ passed: 2, failed: 2, skipped: 0, failures: [`x.spec.ts:7 records (line 9: ${'x'.repeat(592)})`] });
  });

  it('counts a program that broke off as one failure, and adds suites up', () => {
    const broken = withExit(vitestTally('/nowhere/report.json'), false, 'vitest');
    expect(add(broken, { ...nothing, passed: 3 })).toEqual({ passed: 3, failed: 1, skipped: 0, failures: ['vitest ended badly, with no failed test'] });
    expect(withExit({ ...nothing, passed: 3 }, true, 'vitest').failed).toBe(0);
  });
});
