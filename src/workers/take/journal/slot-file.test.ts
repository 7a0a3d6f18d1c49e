import { expect, test } from 'vitest';
import { SlotFile } from './slot-file.ts';
import { WithheldFile } from './withheld-file.suite.ts';

const numbered = (from: number, count: number) =>
  Uint8Array.from({ length: count }, (_, index) => (from + index) & 255);

/** A file with ten bytes on the disk and six in memory, which the system withholds. */
async function withheld(): Promise<{ file: WithheldFile; slot: SlotFile }> {
  const file = new WithheldFile();
  const slot = await SlotFile.open(file.handle);
  slot.append(numbered(0, 10));
  file.isWithheld = true;
  slot.append(numbered(10, 6));
  return { file, slot };
}

test('reads bytes that wait in memory while the system withholds the file', async () => {
  const { slot } = await withheld();
  expect(slot.isLost).toBe(true);
  expect(await slot.read(4, 100)).toEqual(numbered(4, 12));
  expect(await slot.read(12, 2)).toEqual(numbered(12, 2));
});

test('reads the same bytes after the file was closed without getting it back', async () => {
  const { slot } = await withheld();
  await slot.close();
  expect(await slot.read(0, 16)).toEqual(numbered(0, 16));
  // The log takes the bytes from here.
  expect([slot.isLost, slot.readNow(10, 6)]).toEqual([true, numbered(10, 6)]);
});

test('writes the bytes to the file once the system returns it', async () => {
  const { file, slot } = await withheld();
  file.isWithheld = false;
  // The worker flushes every 240 ms.
  await expect
    .poll(() => {
      slot.flush();
      return slot.flushedBytes;
    })
    .toBe(16);
  expect(file.content).toEqual(numbered(0, 16));
  await slot.close();
  expect(slot.isLost).toBe(false);
});
