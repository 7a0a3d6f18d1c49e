import { execFileSync } from 'node:child_process';
import { root } from './source-files.ts';

/** The check reads the commits after this one. */
const since = '0e2429db9e622aeab5a5156a68f834e227af6781';
const longest = 72;
const types = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test';
const conventional = new RegExp(`^(?:${types})(?:\\([^)]+\\))?!?: [^A-Z].*[^.]$`);

/** What is wrong with the subject of a commit; null where nothing is (Conventional Commits 1.0.0). */
export function findingIn(subject: string): string | null {
  if (subject.length > longest) return `${subject.length} characters, at most ${longest}`;
  return conventional.test(subject) ? null : 'not of the form "type(scope): imperative"';
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The commits that the rule applies to, newest first; in a shallow clone without `since`, the newest alone. */
function commits(): string[] {
  let range = ['-1'];
  try {
    git('cat-file', '-e', since);
    range = [`${since}..HEAD`];
  } catch {
    // The clone is shallow.
  }
  return git('log', '--no-merges', '--format=%h %s', ...range)
    .trim()
    .split('\n')
    .filter(Boolean);
}

if (import.meta.main) {
  const findings = commits().flatMap((line) => {
    const [hash, subject] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)];
    const finding = findingIn(subject);
    return finding === null ? [] : [`${hash} ${subject}: ${finding}`];
  });
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
