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
    stdout: expect.stringMatching(/^Usage: earshot \[serve\]\n/),
    stderr: '',
  });
});

test.for([
  [['--json'], /^There is no command "--json"\.\n"earshot help" explains all commands\.\n$/],
  [['retore', '/mnt'], /^There is no command "retore"\.\n"earshot help" explains all commands\.\n$/],
  [
    ['backups', '/mnt', '/srv'],
    /^"backups" does not have these arguments: \/mnt \/srv\nUsage: earshot backups PLACE .*\n"earshot help" .*\n$/,
  ],
  [['move'], /^"move" needs other arguments\nUsage: earshot move FILE \[--finish\]\n"earshot help" .*\n$/],
  [['backup', '--keys'], /^Unknown option '--keys'/],
] as const)('explains wrong arguments, and changes nothing: %s', ([args, message]) => {
  expect(run(...args)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(message) });
});
