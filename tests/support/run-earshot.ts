import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cli = join(import.meta.dirname, '..', '..', 'src', 'server', 'cli.ts');

/** Shares compiled code between the hundreds of starts of one run. */
export const compileCache = join(tmpdir(), 'earshot-compile-cache');

export interface CommandEnd {
  code: number;
  /** What it printed, with its errors at the end. */
  output: string;
}

/** Runs a program in its own process, with this environment alone. */
export const runProgram = (
  [program, ...words]: readonly [string, ...string[]],
  options: { env: Record<string, string | undefined>; cwd?: string },
): Promise<CommandEnd> =>
  new Promise((resolve) => {
    const child = execFile(program, words, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
    });
  });

/** Runs an `earshot …` command of this checkout, with this environment alone. */
export const runCommandLine = (
  env: Record<string, string | undefined>,
  words: readonly string[],
): Promise<CommandEnd> => runProgram([process.execPath, cli, ...words], { env });

/** Runs an `earshot …` command without a server. Returns its exit code and output, without the last line break. */
export async function runEarshot(
  environment: Record<string, string>,
  ...words: string[]
): Promise<CommandEnd> {
  const { code, output } = await runCommandLine(
    { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache, ...environment },
    words,
  );
  return { code, output: output.trim() };
}
