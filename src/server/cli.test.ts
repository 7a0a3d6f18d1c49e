import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const cliPath = fileURLToPath(new URL('cli.ts', import.meta.url));

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cliPath, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test.for([['help'], ['backup', '--help']])('prints its usage if asked for help: %s', (args) => {
  expect(run(...args)).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Usage: earshot serve\n/),
    stderr: '',
  });
});

test.for([
  [[], /^Name a command\.\n\nUsage: /],
  [['retore', '/mnt'], /^No command has these arguments: retore \/mnt\n\nUsage: /],
  [['backup', '--keys'], /^Unknown option '--keys'/],
] as const)('explains wrong arguments, and changes nothing: %s', ([args, message]) => {
  expect(run(...args)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(message) });
});
