import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const choose = `const { freePort } = await import(${JSON.stringify(join(import.meta.dirname, 'free-port.ts'))});
const ports = [];
for (let index = 0; index < 1500; index += 1) ports.push(await freePort());
console.log(ports.join());
await new Promise((resolve) => { process.stdin.once('end', resolve).resume(); });`;

it('gives two processes different ports', async () => {
  const children = Array.from({ length: 3 }, () => {
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '-e', choose]);
    const printed = new Promise<number[]>((resolve) => {
      let text = '';
      running.child.stdout?.on('data', (chunk: string) => {
        text += chunk;
        if (text.endsWith('\n')) resolve(text.trim().split(',').map(Number));
      });
    });
    return { running, printed };
  });
  const ports = (await Promise.all(children.map(({ printed }) => printed))).flat();
  for (const { running } of children) running.child.stdin?.end();
  await Promise.all(children.map(({ running }) => running));
  expect(ports).toHaveLength(4500);
  expect(new Set(ports).size).toBe(4500);
});
