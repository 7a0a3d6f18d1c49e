import { describe, expect, test } from 'vitest';
import { unrepeated } from './repeated-fragment.ts';

const box = (type: string, contents: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(8 + contents.length);
  bytes.writeUInt32BE(bytes.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(contents, 8);
  return bytes;
};
const fragment = (number: number): Buffer => box('moof', [number, 1, 2, 3]);
const sound = box(
  'mdat',
  Array.from({ length: 500 }, (_, index) => index % 256),
);
const start = box('ftyp', [1, 2, 3]);

/** The file as it is read, and its top-level boxes. */
async function readOf(file: Buffer): Promise<{ bytes: Buffer; types: string[] }> {
  const read = await unrepeated(async (from, until) => file.subarray(from, until), file.length);
  const bytes = Buffer.from(await read(0, file.length));
  const types: string[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
    types.push(bytes.toString('latin1', at + 4, at + 8));
  return { bytes, types };
}

describe('a file whose last fragment has its header twice', () => {
  const file = Buffer.concat([start, fragment(1), sound, fragment(2), fragment(2), sound]);

  test('is read without the first copy', async () => {
    const { bytes, types } = await readOf(file);
    expect(types).toEqual(['ftyp', 'moof', 'mdat', 'free', 'moof', 'mdat']);
    expect(bytes.subarray(-sound.length - fragment(2).length)).toEqual(Buffer.concat([fragment(2), sound]));
  });

  test('is read alike in pieces of any length', async () => {
    const { bytes } = await readOf(file);
    const read = await unrepeated(async (from, until) => file.subarray(from, until), file.length);
    for (const length of [1, 3, 7, 100]) {
      const pieces: Uint8Array[] = [];
      for (let from = 0; from < file.length; from += length)
        pieces.push(await read(from, Math.min(file.length, from + length)));
      expect(Buffer.concat(pieces)).toEqual(bytes);
    }
  });
});

test.each([
  { name: 'different fragments', file: Buffer.concat([start, fragment(1), fragment(2), sound]) },
  { name: 'every header once', file: Buffer.concat([start, fragment(1), sound, fragment(2), sound]) },
  { name: 'a header that is cut off', file: Buffer.concat([start, sound, fragment(1).subarray(0, 9)]) },
  { name: 'a header of no length', file: Buffer.concat([start, Buffer.from('\0\0\0\0moof\0\0\0\0moof')]) },
  { name: 'no bytes', file: Buffer.alloc(0) },
])('a file with $name is read as it is', async ({ file }) => {
  const read = await unrepeated(async (from, until) => file.subarray(from, until), file.length);
  expect(Buffer.from(await read(0, file.length))).toEqual(file);
});
