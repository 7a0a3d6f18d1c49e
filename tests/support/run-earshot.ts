import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = join(import.meta.dirname, '..', '..', 'src', 'server', 'cli.ts');

/** Runs an `earshot …` command in its own process. Returns its exit code and output. */
export function runEarshot(
  environment: Record<string, string>,
  ...words: string[]
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [cli, ...words],
      {
        env: {
          PATH: process.env['PATH'],
          NODE_COMPILE_CACHE: join(tmpdir(), 'earshot-compile-cache'),
          ...environment,
        },
      },
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, output: (stdout + stderr).trim() });
      },
    );
  });
}
