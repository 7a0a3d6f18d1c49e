import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The checks that do not run the product. The slowest come first, because they run in parallel. */
export const checks: { name: string; command: string[] }[] = [
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'lint', command: ['oxlint', '--type-aware', 'src', 'tests', 'scripts', 'bench'] },
  {
    name: 'imports',
    command: [
      'depcruise',
      'src',
      'scripts/start.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err',
    ],
  },
  { name: 'dead code', command: ['knip'] },
  { name: 'duplicates', command: ['jscpd', 'src', '--config', '.jscpd.json'] },
  { name: 'names', command: ['node', 'scripts/unique-exports.ts'] },
  { name: 'retired words', command: ['node', 'scripts/retired-words.ts'] },
  { name: 'structure', command: ['node', 'scripts/structure.ts'] },
  { name: 'folders', command: ['node', 'scripts/folder-cycles.ts'] },
  { name: 'state of users', command: ['node', 'scripts/page-state.ts'] },
  { name: 'styles', command: ['stylelint', 'src/**/*.css'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'links', command: ['node', 'scripts/markdown-links.ts'] },
  { name: 'commits', command: ['node', 'scripts/commit-subjects.ts'] },
  { name: 'languages', command: ['node', 'scripts/catalogue/catalogue-gate.ts'] },
  { name: 'English', command: ['node', 'scripts/catalogue/english-words.ts'] },
  { name: 'text in code', command: ['node', 'scripts/catalogue/hardcoded-text.ts'] },
];

interface CheckResult {
  ok: boolean;
  output: string;
  durationMs: number;
}

function runCheck([program = '', ...args]: string[]): Promise<CheckResult> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    execFile(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({
        ok: error === null,
        output: `${stdout}${stderr}${error && stdout + stderr === '' ? error.message : ''}`,
        durationMs: performance.now() - startedMs,
      });
    });
  });
}

/** Runs every check, one per core at a time, and prints each result. Returns the names of those that failed. */
export async function runChecks(): Promise<string[]> {
  const waiting = [...checks];
  const failed: string[] = [];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { ok, output, durationMs } = await runCheck(next.command);
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${next.name} (${Math.round(durationMs)} ms)`);
      if (!ok) {
        failed.push(next.name);
        console.log(output);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return failed;
}

if (import.meta.main) process.exitCode = (await runChecks()).length > 0 ? 1 : 0;
