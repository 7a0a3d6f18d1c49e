import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { copyFilesBelow, entriesBelow, filesBelow } from '#tests/support/files-below.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-files-below-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

const pathsOf = (entries: readonly { path: string }[]): string[] => entries.map(({ path }) => path);

/** Writes, renames and removes files and folders below a folder, as a server does, until the test ends. */
function busyWriter(folder: string): { rounds: () => number } {
  const rounds = new Int32Array(new SharedArrayBuffer(4));
  const code = `
    const { mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
    const { workerData: { folder, rounds } } = require('node:worker_threads');
    for (;;) {
      mkdirSync(folder + '/unfinished');
      for (let index = 0; index < 20; index += 1) writeFileSync(folder + '/unfinished/' + index, 'bytes');
      for (let index = 0; index < 20; index += 1) renameSync(folder + '/unfinished/' + index, folder + '/complete-' + index);
      rmSync(folder + '/unfinished', { recursive: true });
      for (let index = 0; index < 20; index += 1) rmSync(folder + '/complete-' + index);
      Atomics.add(rounds, 0, 1);
    }`;
  const worker = new Worker(code, { eval: true, workerData: { folder, rounds } });
  onTestFinished(async () => {
    await worker.terminate();
  });
  return { rounds: () => Atomics.load(rounds, 0) };
}

test('lists files and folders with their sizes, and no entry of a folder that is missing', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'inner', 'b'), '12345');
  writeFileSync(join(folder, 'a'), '');
  symlinkSync(tmpdir(), join(folder, 'link'));
  expect(pathsOf(entriesBelow(folder))).toEqual(['a', 'inner', 'inner/b', 'link']);
  expect(filesBelow(folder).map(({ path, stats }) => [path, stats.size])).toEqual([
    ['a', 0],
    ['inner/b', 5],
  ]);
  expect(entriesBelow(join(folder, 'missing'))).toEqual([]);
});

test('lists and copies a folder while its files vanish, and always finds those that stay', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'stays'), 'bytes');
  const { rounds } = busyWriter(folder);
  while (rounds() < 50) {
    expect(pathsOf(filesBelow(folder))).toContain('stays');
    const copy = newFolder();
    copyFilesBelow(folder, copy);
    expect(pathsOf(filesBelow(copy))).toContain('stays');
  }
});
