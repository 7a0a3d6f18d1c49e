import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { oggBytesOf, replayLog, trustedBytesOf, wholePagesOf } from './recover-streams.ts';

/** A file in memory with the methods that recovery uses. */
function fileOf(bytes: Uint8Array) {
  let content = bytes.slice();
  return {
    get sizeBytes() {
      return content.length;
    },
    overwrite: (piece: Uint8Array, atBytes: number) => {
      const grown = new Uint8Array(Math.max(content.length, atBytes + piece.length));
      grown.set(content);
      grown.set(piece, atBytes);
      content = grown;
    },
    read: async (offsetBytes: number, sizeBytes: number) =>
      content.slice(offsetBytes, offsetBytes + sizeBytes),
  };
}

/** A few seconds of a stream, and the byte offsets at which its pages end. */
function streamOf(packets: readonly Uint8Array[]): { bytes: Uint8Array; ends: number[] } {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: 7,
    vendor: 'test',
  });
  const pages = [
    ...writer.headers(),
    ...packets.flatMap((packet) => writer.push(Uint8Array.from([0x98, ...packet])) ?? []),
  ];
  const ends: number[] = [];
  for (const page of pages) ends.push((ends.at(-1) ?? 0) + page.bytes.length);
  return { bytes: Uint8Array.from(Buffer.concat(pages.map(({ bytes }) => bytes))), ends };
}

const stream = fc
  .array(fc.uint8Array({ minLength: 20, maxLength: 120 }), { minLength: 60, maxLength: 160 })
  .map(streamOf);
const damage = fc.constantFrom('vanished', 'torn', 'zeros', 'junk', 'whole');

function damaged(bytes: Uint8Array, kind: string, atBytes: number): Uint8Array {
  if (kind === 'vanished') return new Uint8Array(0);
  if (kind === 'torn') return bytes.slice(0, atBytes);
  const changed = bytes.slice();
  if (kind === 'zeros') changed.fill(0, atBytes);
  if (kind === 'junk')
    return Uint8Array.from([...changed, ...Array.from({ length: 300 }, (_, index) => (index * 37) % 256)]);
  return changed;
}

test('recovers all whole pages that the file or the log has, and no byte that was never written', async () => {
  await fc.assert(
    fc.asyncProperty(
      stream,
      damage,
      fc.record({ cut: fc.nat(1000), trim: fc.nat(1000) }),
      async ({ bytes, ends }, kind, { cut, trim }) => {
        const share = (part: number, of: number) => Math.floor((part * of) / 1000);
        const logEnd = ends[share(cut, ends.length - 1)] ?? 0;
        // A file is trusted alone only when it is aged. A vanished file was fresh, so none of its log was trimmed.
        const logStart = kind === 'vanished' ? 0 : (ends[share(trim, ends.indexOf(logEnd))] ?? 0);
        const safeBytes = kind === 'vanished' ? 0 : Math.max(logStart, share(trim, bytes.length));
        const file = fileOf(damaged(bytes, kind, safeBytes));
        const logged = ends
          .filter((end) => end > logStart && end <= logEnd)
          .map((end) => {
            const offsetBytes = Math.max(logStart, ends[ends.indexOf(end) - 1] ?? 0);
            return { uploadId: 'a', offsetBytes, bytes: bytes.slice(offsetBytes, end) };
          });
        await replayLog(file, logged);
        const wholeBytes = await wholePagesOf(file);
        const durable = Math.max(logged.length > 0 ? logEnd : 0, ...ends.filter((end) => end <= safeBytes));
        expect(wholeBytes).toBeGreaterThanOrEqual(Math.max(0, durable));
        expect(await file.read(0, wholeBytes)).toEqual(bytes.slice(0, wholeBytes));
      },
    ),
    { numRuns: 150 },
  );
});

test('ignores a log that starts after the end of the file', async () => {
  const { bytes, ends } = streamOf(Array.from({ length: 60 }, () => new Uint8Array(50).fill(3)));
  const file = fileOf(bytes.slice(0, 100));
  await replayLog(file, [{ uploadId: 'a', offsetBytes: ends[3] ?? 0, bytes: bytes.slice(ends[3], ends[4]) }]);
  expect(file.sizeBytes).toBe(100);
});

test('trusts unchecked bytes as far as the log confirms them, and on to the first sector of zeros', async () => {
  const sound = new Uint8Array(3000).fill(9);
  expect(await trustedBytesOf(fileOf(sound), 1000)).toBe(3000);
  const torn = Uint8Array.from([...sound, ...new Uint8Array(2000), ...sound]);
  expect(await trustedBytesOf(fileOf(torn), 1000)).toBe(3000);
  expect(await trustedBytesOf(fileOf(torn), 5000)).toBe(8000);
  const quiet = Uint8Array.from([...sound, ...new Uint8Array(100), ...sound]);
  expect(await trustedBytesOf(fileOf(quiet), 0)).toBe(6100);
});

test('keeps the bytes behind a damaged first page, but not a first page that was never whole', async () => {
  const { bytes } = streamOf(Array.from({ length: 60 }, () => new Uint8Array(40).fill(7)));
  const retainedBytes = (content: Uint8Array) => oggBytesOf(fileOf(content), { loggedBytes: 0 });
  const damagedFirst = bytes.slice();
  damagedFirst[30] = 255;
  expect(await retainedBytes(bytes)).toBe(bytes.length);
  expect(await retainedBytes(damagedFirst)).toBe(bytes.length);
  expect(await retainedBytes(bytes.slice(0, 20))).toBe(0);
  expect(await retainedBytes(new Uint8Array(5000))).toBe(0);
});
