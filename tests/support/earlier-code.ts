import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Whether the history of this checkout has a commit. Shallow clones and copies without Git don't have it. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The code of an earlier commit in a temporary folder, with the packages of this checkout. */
export interface EarlierCode {
  directory: string;
  /** The server's main script. */
  main: string;
  remove: () => void;
}

/** Extracts the code of a commit. */
export function extractEarlierCode(commit: string): EarlierCode {
  const directory = mkdtempSync(join(tmpdir(), 'earshot-earlier-'));
  const archive = execFileSync(
    'git',
    ['archive', commit, 'package.json', 'src', 'scripts', 'tests', 'locales'],
    {
      cwd: root,
      maxBuffer: 512 * 1024 * 1024,
    },
  );
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return {
    directory,
    main: join(directory, 'src', 'server', 'main.ts'),
    remove: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
