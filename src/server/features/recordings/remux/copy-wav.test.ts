import { expect, test } from 'vitest';
import { wavFile } from '#tests/support/media/wav-files.ts';
import { copyWav } from './copy-wav.ts';

/** A WAV file without sizes, with so many bytes of samples. None of them exists until it is read. */
function endlessWav(dataBytes: number) {
  const head = wavFile({ bits: 16 }).subarray(0, 44);
  head.writeUInt32LE(0, 40);
  return {
    sizeBytes: head.length + dataBytes,
    read: async (startByte: number, endByteExclusive: number) => {
      const bytes = new Uint8Array(endByteExclusive - startByte);
      bytes.set(head.subarray(startByte, endByteExclusive));
      return bytes;
    },
  };
}

/** The largest number of whole frames for which the header can state the size of the file. */
const maxDataBytes = 2 ** 32 - 44;

test('F7: states the size of the largest WAV file', async () => {
  const given: Uint8Array[] = [];
  const stop = new AbortController();
  const copied = copyWav(
    endlessWav(maxDataBytes),
    async (bytes) => {
      given.push(bytes);
      stop.abort();
    },
    stop.signal,
  );
  await expect(copied).rejects.toThrow('aborted');
  const header = Buffer.from(given[0] ?? []);
  expect([header.readUInt32LE(4), header.readUInt32LE(40)]).toEqual([maxDataBytes + 36, maxDataBytes]);
});

test('F7: copies no WAV file whose size a header cannot state', async () => {
  const given: Uint8Array[] = [];
  const give = async (bytes: Uint8Array): Promise<void> => {
    given.push(bytes);
  };
  const { signal } = new AbortController();
  expect(await copyWav(endlessWav(maxDataBytes + 2), give, signal)).toBe(false);
  expect(given).toEqual([]);
});
