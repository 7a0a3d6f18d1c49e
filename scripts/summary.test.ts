import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { add, nothing, playwrightTally, readClosing, vitestTally, withExit } from './summary.ts';

function reportFile(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'earshot-summary-')), 'report.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const browserSpec = (title: string, status: 'expected' | 'unexpected' | 'flaky') => ({
  title,
  file: 'x.spec.ts',
  line: 7,
  ok: status !== 'unexpected',
  tests: [
    {
      status,
      results:
        status === 'expected'
          ? [{ errors: [] }]
          : [{ errors: [{ message: 'x'.repeat(700), location: { line: 9 } }] }, { errors: [] }],
    },
  ],
});

describe('the summary of a run', () => {
  it('lists each failed unit test by file with its reason on the same line, and a file that failed to load', () => {
    const file = reportFile({
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            {
              fullName: 'a breaks',
              status: 'failed',
              failureMessages: ['\u001b[31mexpected 1\nto be 2\u001b[39m'],
            },
            { fullName: 'a holds', status: 'passed' },
          ],
        },
        { name: 'b.test.ts', status: 'failed', assertionResults: [] },
        {
          name: 'c.test.ts',
          status: 'passed',
          assertionResults: [
            { fullName: 'c holds', status: 'passed', failureMessages: [] },
            { fullName: 'c wavers', status: 'passed', failureMessages: ['expected 1'] },
          ],
        },
      ],
    });
    expect(vitestTally(file)).toEqual({
      passed: 4,
      failed: 2,
      skipped: 3,
      failures: ['a.test.ts: a breaks (expected 1 to be 2)', 'b.test.ts'],
      flaky: ['c.test.ts: c wavers (expected 1)'],
    });
  });

  it('finds failed browser tests in nested groups', () => {
    const file = reportFile({
      stats: { expected: 2, unexpected: 1, flaky: 0, skipped: 0 },
      suites: [
        {
          specs: [browserSpec('plays', 'expected')],
          suites: [{ specs: [browserSpec('records', 'unexpected')] }],
        },
      ],
    });
    expect(playwrightTally(file)).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
      failures: [`x.spec.ts:7 records (line 9: ${'x'.repeat(592)})`],
      flaky: [],
    });
  });

  it('counts a browser test that passed on a retry as passed, and lists it as flaky with its reason', () => {
    const file = reportFile({
      stats: { expected: 2, unexpected: 0, flaky: 1, skipped: 0 },
      suites: [{ specs: [browserSpec('plays', 'expected'), browserSpec('records', 'flaky')] }],
    });
    expect(playwrightTally(file)).toMatchObject({
      passed: 3,
      failed: 0,
      failures: [],
      flaky: [expect.stringContaining('x.spec.ts:7 records (line 9: xxx')],
    });
  });

  it('reads the result of a command from its output, whatever the order of its lines', () => {
    const output =
      'noise\n1 passed, 0 failed, 0 skipped\nfailed: a b (reason)\nflaky: c\n1 flaky\n12 passed, 1 failed, 3 skipped\nmore noise';
    expect(readClosing(output)).toEqual({
      passed: 12,
      failed: 1,
      skipped: 3,
      failures: ['a b (reason)'],
      flaky: ['c'],
    });
    expect(readClosing('12 passed, 1 failed')).toBeNull();
  });

  it('counts a program that broke off as one failure, and adds up suites', () => {
    const broken = withExit(vitestTally('/nowhere/report.json'), false, 'vitest');
    expect(add(broken, { ...nothing, passed: 3 })).toEqual({
      passed: 3,
      failed: 1,
      skipped: 0,
      failures: ['vitest ended badly, with no failed test'],
      flaky: [],
    });
    expect(withExit({ ...nothing, passed: 3 }, true, 'vitest').failed).toBe(0);
  });
});
