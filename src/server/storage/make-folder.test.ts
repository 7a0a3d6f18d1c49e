import { stat, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '#tests/support/start-server.ts';
import { makeFolder } from './make-folder.ts';

test('creates a folder and those above it with their permissions, also twice and at the same time', async () => {
  const path = join(newFolder(), 'one', 'two', 'three');
  await Promise.all([makeFolder(path, { mode: 0o700 }), makeFolder(path, { mode: 0o700 })]);
  await makeFolder(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
});

test('fails where a file or a broken link is in the way', async () => {
  const folder = newFolder();
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'none'), join(folder, 'link'));
  await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(makeFolder(join(folder, 'link'))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(makeFolder(join(folder, 'link', 'below', 'it'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.skipIf(!existsSync('/proc/self'))('fails below a folder in which none can be created', async () => {
  await expect(makeFolder('/proc/none/below')).rejects.toMatchObject({ code: 'ENOENT', syscall: 'mkdir' });
  await expect(makeFolder('/proc/none')).rejects.toMatchObject({ code: 'ENOENT', syscall: 'mkdir' });
});
