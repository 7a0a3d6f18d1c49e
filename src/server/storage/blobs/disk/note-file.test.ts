import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noteLagBytes } from '#server/storage/blobs/blob-store.ts';
import { dropNote, isNoteDue, readNoteFile, writeNote } from './note-file.ts';

let directory: string;
let blob: string;
const note = Uint8Array.of(1, 2, 3);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'earshot-note-'));
  blob = join(directory, 'audio-0000');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('calls a note due when the blob grew past a multiple of the lag', () => {
  expect(isNoteDue({ beforeBytes: 0, atBytes: noteLagBytes - 1 })).toBe(false);
  expect(isNoteDue({ beforeBytes: noteLagBytes - 1, atBytes: noteLagBytes })).toBe(true);
});

it('ignores a note that a power cut tore or changed, at any byte', async () => {
  await writeNote(blob, { atBytes: noteLagBytes, bytes: note });
  const path = `${blob}~note`;
  const whole = await readFile(path);
  for (let length = 0; length < whole.length; length += 1) {
    await writeFile(path, whole.subarray(0, length));
    expect(await readNoteFile(blob)).toBeNull();
    const changed = Buffer.from(whole);
    changed[length] = (changed[length] ?? 0) ^ 1;
    await writeFile(path, changed);
    expect(await readNoteFile(blob)).toBeNull();
  }
  await writeFile(path, Buffer.alloc(5000));
  expect(await readNoteFile(blob)).toBeNull();
});

it('says whether there was a note to delete', async () => {
  await writeNote(blob, { atBytes: noteLagBytes, bytes: note });
  expect([await dropNote(blob), await dropNote(blob)]).toEqual([true, false]);
});
