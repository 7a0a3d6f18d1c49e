import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { strangeAnswers, withEachNumber } from '#tests/support/damaged-numbers.ts';
import { openEntry, readEntryText } from './open-entry.ts';
import { readDirectory } from './read-directory.ts';
import { ZipError } from './zip-error.ts';

const text = 'speech '.repeat(20);

async function packed(forceZip64Format: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(text), 'packed', { compress: true, forceZip64Format });
  zip.addBuffer(Buffer.from(text.slice(0, 20)), 'stored', { compress: false, forceZip64Format });
  zip.end({ forceZip64Format, comment: '' });
  return new Uint8Array(await buffer(zip.outputStream));
}

/** The total size of every file of a ZIP. Reads each as text, so invalid UTF-8 is damage as well. */
async function readAll(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const file = new Blob([bytes]);
  let sizeBytes = 0;
  for (const entry of (await readDirectory(file)).values()) {
    sizeBytes += (await openEntry(file, entry)).size;
    await readEntryText(file, entry, 1024 * 1024);
  }
  return sizeBytes;
}

test.for([false, true])(
  'reads or rejects a ZIP (64 bits: %s) with any number set to 0, 1, the maximum or −1, in little memory',
  async (isLarge) => {
    const whole = await packed(isLarge);
    expect(await readAll(whole)).toBe(text.length + 20);
    expect(
      await strangeAnswers(withEachNumber(whole, { orders: ['little-endian'] }), async (bytes) => {
        try {
          return (await readAll(bytes)) <= text.length + 20;
        } catch (error) {
          if (error instanceof ZipError || error instanceof TypeError) return true;
          throw error;
        }
      }),
    ).toEqual([]);
  },
);

test('rejects only the entry whose declared size exceeds what its bytes can hold, before unpacking it', async () => {
  const whole = Buffer.from(await packed(false));
  const first = whole.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  whole.writeUInt32LE(whole.readUInt32LE(first + 20) * 1032 + 1, first + 24);
  const file = new Blob([whole]);
  const [damaged, other] = [...(await readDirectory(file)).values()];
  expect(damaged && other).toBeDefined();
  if (damaged === undefined || other === undefined) return;
  await expect(openEntry(file, damaged)).rejects.toThrow('larger than its bytes can hold');
  expect((await openEntry(file, other)).size).toBe(20);
});
