import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const node = (script: string) => [process.execPath, '-e', script];

it('returns the output and the exit status of a command', async () => {
  expect(
    await runCommand(node('console.log("out"); console.error("err"); process.exitCode = 3'), {
      timeoutMs: 20_000,
    }),
  ).toMatchObject({ status: 3, timedOut: false, output: expect.stringMatching(/out[^]*err|err[^]*out/) });
});

it('ends a command and its children that run longer than allowed', async () => {
  const child =
    'require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); setInterval(() => {}, 1000)';
  expect(await runCommand(node(child), { timeoutMs: 500 })).toMatchObject({ timedOut: true, status: null });
});

it('does not wait for a grandchild that holds the output open', async () => {
  const child =
    'require("child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 10000)"], { stdio: "inherit", detached: true }).unref(); console.log("done")';
  expect(await runCommand(node(child), { timeoutMs: 20_000 })).toMatchObject({ status: 0, output: 'done\n' });
});

it('reports a program that does not exist', async () => {
  expect(await runCommand(['/nowhere/program'], { timeoutMs: 20_000 })).toMatchObject({
    status: null,
    output: expect.stringContaining('ENOENT'),
  });
});

it('ends its command and what that started when it is interrupted', async () => {
  const grandchild = 'console.log("pid " + process.pid); setInterval(() => {}, 1000)';
  const script = `import { runCommand } from ${JSON.stringify(import.meta.resolve('./run-command.ts'))};
    await runCommand(['sh', '-c', ${JSON.stringify(`exec ${process.execPath} -e '${grandchild}'`)}]);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.setEncoding('utf8').on('data', (text: string) => {
      const found = /pid (\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
  });
  const ended = once(parent, 'exit');
  parent.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
