import { execFile, execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { isTypeScript, root } from './source-files.ts';

export interface Check {
  name: string;
  command: string[];
}

/** The test that compares the tagged journeys with their page. A renamed journey fails before it is committed. */
const coreJourneys = ['vitest', 'run', 'scripts/core-journeys.test.ts'];

/** The checks that do not run the product. The slowest come first, because they run in parallel. */
export const checks: Check[] = [
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
  { name: 'pictures', command: ['node', 'scripts/readme/picture-state.ts'] },
  { name: 'core journeys', command: coreJourneys },
  { name: 'commits', command: ['node', 'scripts/commit-subjects.ts'] },
  { name: 'languages', command: ['node', 'scripts/catalogue/catalogue-gate.ts'] },
  { name: 'English', command: ['node', 'scripts/catalogue/english-words.ts'] },
  { name: 'text in code', command: ['node', 'scripts/catalogue/hardcoded-text.ts'] },
];

/** What is staged for the next commit, as paths from the root of the repository. */
interface StagedFiles {
  changed: string[];
  removed: string[];
}

function stagedFiles(): StagedFiles {
  const fields = execFileSync('git', ['diff', '--cached', '--name-status', '--no-renames', '-z'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\0');
  const staged: StagedFiles = { changed: [], removed: [] };
  for (let index = 0; index + 1 < fields.length; index += 2)
    (fields[index] === 'D' ? staged.removed : staged.changed).push(fields[index + 1] ?? '');
  return staged;
}

const isCode = (file: string): boolean => /^(?:src|tests|scripts|bench)\/.*\.(?:tsx?|mjs)$/.test(file);

/**
 * Returns the checks for a commit of these files: those that can read single files read these alone, and types are
 * checked as a whole. The others, such as import rules and dead code, need every file; `npm run check` has them.
 */
export function checksOfStaged({ changed, removed }: StagedFiles): Check[] {
  const limited = (name: string, command: string[], files: string[]): Check[] =>
    files.length === 0 ? [] : [{ name, command: [...command, ...files] }];
  const pages = changed.filter((file) => file.endsWith('.md'));
  const hasTypes = [...changed, ...removed].some((file) => isTypeScript(file) || file.endsWith('.json'));
  return [
    ...(hasTypes ? [{ name: 'types', command: ['tsc', '-b'] }] : []),
    ...limited('lint', ['oxlint', '--type-aware'], changed.filter(isCode)),
    ...limited(
      'styles',
      ['stylelint'],
      changed.filter((file) => file.startsWith('src/') && file.endsWith('.css')),
    ),
    ...limited('format', ['oxfmt', '--check', '--no-error-on-unmatched-pattern'], changed),
    ...limited('retired words', ['node', 'scripts/retired-words.ts'], changed),
    ...(changed.some((file) => file.startsWith('tests/e2e/') || file === 'docs/core-journeys.md')
      ? [{ name: 'core journeys', command: coreJourneys }]
      : []),
    // Any page may link to a file that is removed.
    ...(removed.length > 0
      ? [{ name: 'links', command: ['node', 'scripts/markdown-links.ts'] }]
      : limited('links', ['node', 'scripts/markdown-links.ts'], pages)),
  ];
}

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

/** Runs checks, one per core at a time, and prints each result. Returns the names of those that failed. */
export async function runChecks(chosen: readonly Check[] = checks): Promise<string[]> {
  const waiting = [...chosen];
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

if (import.meta.main) {
  const chosen = process.argv.includes('--staged') ? checksOfStaged(stagedFiles()) : checks;
  if (chosen.length === 0) console.log('Nothing is staged that a check reads.');
  process.exitCode = (await runChecks(chosen)).length > 0 ? 1 : 0;
}
