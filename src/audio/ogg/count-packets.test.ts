import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countPacketSamples } from './count-packets.ts';
import { readSegmentFacts, soundMsOf, withPacketsCounted } from './joined-facts.ts';
import { oggCrc32 } from './ogg-crc.ts';
import { writeOggPage } from './ogg-page.ts';
import { OpusStreamWriter } from './opus-stream-writer.ts';

const preSkip = 312;
const packet = Uint8Array.of(0xf8, 0xff, 0xfe);

/** A file of 20 ms packets, the offsets of its pages, and the size of its headers. */
function fileOf(packets: number): { bytes: Buffer; pagesAt: number[]; headersBytes: number } {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip,
    inputSampleRateHz: 48_000,
    serialNumber: 7,
    vendor: 'test',
  });
  const headers = writer.headers().map(({ bytes }) => bytes);
  const pages: Uint8Array[] = [];
  for (let index = 0; index < packets; index += 1) {
    const page = writer.push(packet);
    if (page !== null) pages.push(page.bytes);
  }
  pages.push(...writer.finish(Infinity).map(({ bytes }) => bytes));
  const headersBytes = headers.reduce((sum, { length }) => sum + length, 0);
  let at = headersBytes;
  const pagesAt = pages.map(({ length }) => (at += length) - length);
  return { bytes: Buffer.concat([...headers, ...pages]), pagesAt, headersBytes };
}

const reading =
  (bytes: Buffer) =>
  async (from: number, to: number): Promise<Uint8Array> =>
    bytes.subarray(from, to);

/** Changes the granule position of the page at an offset. */
function claim(bytes: Buffer, at: number, granule: bigint): void {
  const sizeBytes =
    27 +
    (bytes[at + 26] ?? 0) +
    bytes.subarray(at + 27, at + 27 + (bytes[at + 26] ?? 0)).reduce((sum, value) => sum + value, 0);
  const page = bytes.subarray(at, at + sizeBytes);
  page.writeBigInt64LE(granule, 6);
  page.writeUInt32LE(0, 22);
  page.writeUInt32LE(oggCrc32(page), 22);
}

test('counts all packets, whatever the positions on the pages are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400 }),
      fc.array(fc.tuple(fc.nat(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), { maxLength: 5 }),
      async (packets, lies) => {
        const { bytes, pagesAt, headersBytes } = fileOf(packets);
        for (const [page, granule] of lies)
          claim(bytes, pagesAt[page % pagesAt.length] ?? headersBytes, granule);
        expect(
          await countPacketSamples(reading(bytes), { startByte: headersBytes, sizeBytes: bytes.length }),
        ).toBe(packets * 960);
        const facts = await readSegmentFacts(reading(bytes), bytes.length);
        if (facts === null) throw new Error('no sound was found');
        expect(soundMsOf(withPacketsCounted(facts, packets * 960))).toBeLessThanOrEqual(packets * 20);
        expect(facts.lastGranulePosition).toBeLessThanOrEqual(facts.lastPacketEndsAt);
      },
    ),
  );
});

test('limits a wrong position on the last page to the packets', async () => {
  for (const granule of [2n ** 62n, 2n ** 52n, 365n * 86_400n * 48_000n, -5n]) {
    const { bytes, pagesAt } = fileOf(100);
    claim(bytes, pagesAt.at(-1) ?? 0, granule);
    const facts = await readSegmentFacts(reading(bytes), bytes.length);
    expect(facts).toMatchObject({ lastGranulePosition: 96_000, lastPacketEndsAt: 96_000 });
  }
});

test('does not shorten the rest because of a damaged page', async () => {
  const { bytes, pagesAt, headersBytes } = fileOf(100);
  const [, second = 0, third = 0] = pagesAt;
  bytes.fill(0x55, second, third);
  expect(
    await countPacketSamples(reading(bytes), { startByte: headersBytes, sizeBytes: bytes.length }),
  ).toBeGreaterThanOrEqual(96_000);
  const tail = fileOf(100);
  const [beforeLast = 0, last = 0] = tail.pagesAt.slice(-2);
  tail.bytes.fill(0x55, beforeLast, last);
  expect(await readSegmentFacts(reading(tail.bytes), tail.bytes.length)).toMatchObject({
    lastGranulePosition: 96_000,
  });
});

test('counts a packet that spans several pages once, where it starts', async () => {
  const long = new Uint8Array(255 * 255 + 100).fill(0xf8);
  const [first, rest] = [long.subarray(0, 255 * 255), long.subarray(255 * 255)];
  const head = writeOggPage({
    packets: [],
    granulePosition: -1,
    serialNumber: 7,
    sequenceNumber: 2,
    startsStream: false,
    endsStream: false,
  });
  const starts = Buffer.concat([head, new Uint8Array(255).fill(255), first]);
  starts[26] = 255;
  const goesOn = writeOggPage({
    packets: [rest],
    granulePosition: 960,
    serialNumber: 7,
    sequenceNumber: 3,
    startsStream: false,
    endsStream: true,
  });
  goesOn[5] = (goesOn[5] ?? 0) | 1;
  const bytes = Buffer.concat([starts, goesOn]);
  expect(await countPacketSamples(reading(bytes), { startByte: 0, sizeBytes: bytes.length })).toBe(960);
});
