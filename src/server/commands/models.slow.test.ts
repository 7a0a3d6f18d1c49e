import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownModels } from '#server/features/speech-models/known-models.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { newFolder } from '#tests/support/start-server.ts';

test('lists, stores, verifies and removes speech models without a server', async () => {
  const folder = newFolder();
  const environment = { DATA_DIR: join(folder, 'data'), DISK_RESERVE_BYTES: '0' };
  const models = (...words: string[]) => runEarshot(environment, 'models', ...words);
  expect((await runEarshot(environment, 'migrate')).code).toBe(0);

  const listed = await models('list');
  expect(listed.code).toBe(0);
  for (const { name } of knownModels) expect(listed.output).toContain(name);

  expect(await models('add', 'whisper-base')).toEqual({
    code: 0,
    output: 'No server is running. It downloads the model when it starts.',
  });
  expect((await models('list')).output).toMatch(/whisper-base +downloading/);
  expect((await models('remove', 'whisper-base')).code).toBe(0);

  const strange = join(folder, 'strange');
  mkdirSync(strange);
  writeFileSync(join(strange, 'weights.bin'), 'x');
  expect(await models('add', strange)).toMatchObject({
    code: 1,
    output: expect.stringContaining('does not have'),
  });
  // Files of the right lengths with other bytes, which take no space.
  for (const { path, sizeBytes } of knownModels.find(({ name }) => name === 'whisper-base')?.files ?? []) {
    writeFileSync(join(strange, path), '');
    truncateSync(join(strange, path), sizeBytes);
  }
  expect(await models('add', strange)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/base-encoder\.int8\.onnx is not the expected file/),
  });
  expect(await models('verify')).toEqual({ code: 0, output: '' });
  expect((await models('list')).output).toMatch(/whisper-base +absent +0 bytes/);
  rmSync(folder, { recursive: true, force: true });
});

test.for([[['models']], [['models', 'list', 'all']], [['models', 'remove', 'whisper-huge']]] as const)(
  'explains wrong words: %s',
  async ([words]) => {
    const { code, output } = await runEarshot({ DATA_DIR: newFolder() }, ...words);
    expect(code).toBe(2);
    expect(output).toContain('Usage: earshot models list | add NAME|FOLDER | remove NAME | verify [NAME]');
  },
);
