import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';

const verdicts = (output: string): Record<string, string> =>
  Object.fromEntries(
    [...output.matchAll(/^(ok|CHECK|PROBLEM) +([a-z ]+): /gm)].map(([, verdict = '', name = '']) => [
      name,
      verdict,
    ]),
  );

test('names each thing to check first with its verdict, and ends with 1 for a problem', async () => {
  const server = await EarshotServer.launch();
  onTestFinished(() => server.dispose());
  const before = await server.command('doctor');
  expect(verdicts(before.output)).toMatchObject({
    proxy: 'ok',
    space: 'ok',
    'secret key': 'CHECK',
    database: 'ok',
    backup: 'PROBLEM',
  });
  expect(before.code).toBe(1);
  expect(before.output).toContain('A problem found.');
  const place = newFolder();
  expect((await server.command('backup', place)).code).toBe(0);
  const after = await server.command('doctor');
  expect(after).toMatchObject({ code: 0, output: expect.stringContaining('No problems found.') as string });
  expect(after.output).toMatch(/^ok {6}backup: the newest is 0 h old, in .+$/m);
  await server.end('SIGTERM');
  rmSync(join(server.dataDir, 'secret.key'));
  const { code, output } = await server.command('doctor');
  expect([code, verdicts(output)['secret key']]).toEqual([1, 'PROBLEM']);
});

test('checks the rest without an installation, and for a public address without a proxy', async () => {
  const { code, output } = await runEarshot(
    { DATA_DIR: newFolder(), PUBLIC_URL: 'https://ear.example', DISK_RESERVE_BYTES: '0' },
    'doctor',
  );
  expect(code).toBe(1);
  expect(verdicts(output)).toMatchObject({ proxy: 'PROBLEM', space: 'ok', database: 'PROBLEM' });
});
