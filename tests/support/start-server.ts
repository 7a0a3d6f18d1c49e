import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '#scripts/free-port.ts';
import { exitCodes } from '#server/start/exit-code.ts';
import { compileCache } from './run-earshot.ts';

const main = join(import.meta.dirname, '..', '..', 'src', 'server', 'main.ts');

/** An empty folder, deleted after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-failure-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

interface Ended {
  code: number | string | null;
  said: string;
}

/** Starts the real server in its own process and waits until it exits. `script` replaces the product's main script. */
export async function endOf(
  environment: Record<string, string>,
  { asNobody = false, script = main }: { asNobody?: boolean; script?: string } = {},
): Promise<Ended> {
  const [program, ...words] = asNobody
    ? ['runuser', '-u', 'nobody', '--', process.execPath, script]
    : [process.execPath, script];
  const env = {
    PATH: process.env['PATH'],
    PORT: String(await freePort()),
    DISK_RESERVE_BYTES: '0',
    SIGN_UP_QUOTA_BYTES: '0',
    LOG_LEVEL: 'fatal',
    NODE_COMPILE_CACHE: compileCache,
    ...environment,
  };
  return new Promise((resolve) => {
    const child = execFile(program ?? '', words, { env, timeout: 50_000 }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? child.exitCode, said: (stdout + stderr).trim() });
    });
  });
}

/**
 * The single line with which a failed start is reported.
 * @param options.code its exit code; unless given, any but that of a fault of the program
 */
export async function rejection(
  environment: Record<string, string>,
  { code: expected, ...options }: { asNobody?: boolean; code?: number } = {},
): Promise<string> {
  const { code, said } = await endOf(environment, options);
  expect({ code, lines: said.split('\n').length, said }).toMatchObject({
    code: expected ?? expect.toBeOneOf([exitCodes.temporary, exitCodes.configuration]),
    lines: 1,
  });
  return said;
}
