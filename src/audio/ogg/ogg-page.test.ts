import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { oggCrc32 } from './ogg-crc.ts';
import { maxOggPageBytes, packetsOf, readOggPage, writeOggPage } from './ogg-page.ts';

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** RFC 3533's checksum by long division, bit by bit: slow, and deliberately a different implementation. */
function crcByDivision(bytes: Uint8Array): number {
  let register = 0n;
  for (const byte of [...bytes, 0, 0, 0, 0]) {
    for (let bit = 7; bit >= 0; bit--) {
      register = (register << 1n) | BigInt((byte >> bit) & 1);
      if (register >> 32n) register ^= 0x1_04c1_1db7n;
    }
  }
  return Number(register);
}

const anyPage = fc.record({
  packets: fc.array(fc.uint8Array({ maxLength: 1300 }), { maxLength: 30 }),
  granulePosition: fc.integer({ min: -1, max: maxSoundMs * 48 }),
  serialNumber: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  sequenceNumber: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  startsStream: fc.boolean(),
  endsStream: fc.boolean(),
});

test("matches the published check value of RFC 3533's polynomial without the final inversion", () => {
  expect(oggCrc32(ascii('123456789'))).toBe(0x89a1897f);
  expect(oggCrc32(new Uint8Array())).toBe(0);
});

test('equals polynomial division, also when computed in pieces', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, cut) => {
      expect(oggCrc32(bytes)).toBe(crcByDivision(bytes));
      expect(oggCrc32(bytes.subarray(cut), oggCrc32(bytes.subarray(0, cut)))).toBe(oggCrc32(bytes));
    }),
  );
});

test('writes a page byte by byte as in RFC 3533 §6', () => {
  const first = Uint8Array.of(0xfc, ...new Uint8Array(254));
  const page = writeOggPage({
    packets: [first, Uint8Array.of(0xfc, 1)],
    granulePosition: 1920,
    serialNumber: 7,
    sequenceNumber: 2,
    startsStream: false,
    endsStream: true,
  });
  // OggS, version 0, last-page flag, granule, serial, sequence, checksum, 3 lacing values: 255 + 0 for the
  // first packet, 2.
  expect(hex(page.subarray(0, 30))).toBe('4f676753000480070000000000000700000002000000a39ee56903ff0002');
  expect(page.length).toBe(30 + 257);
});

test('reads back written pages', () => {
  fc.assert(
    fc.property(anyPage, fc.uint8Array({ maxLength: 40 }), (page, before) => {
      const written = writeOggPage(page);
      const { packets, ...info } = page;
      const read = readOggPage(Uint8Array.of(...before, ...written, 1, 2, 3), before.length);
      expect(read).toMatchObject({ ...info, sizeBytes: written.length, continuesPacket: false });
      expect(read && packetsOf(read).map(hex)).toEqual(packets.map(hex));
    }),
  );
});

test('rejects a page that is cut short or has one wrong bit', () => {
  fc.assert(
    fc.property(anyPage, fc.nat(), fc.nat(7), (page, at, bit) => {
      const written = writeOggPage(page);
      expect(readOggPage(written.subarray(0, at % written.length))).toBeNull();
      const damaged = written.slice();
      damaged[at % damaged.length] = (damaged[at % damaged.length] ?? 0) ^ (1 << bit);
      expect(readOggPage(damaged)).toBeNull();
    }),
  );
});

test('holds at most 255 segments in a page', () => {
  const page = {
    granulePosition: 0,
    serialNumber: 1,
    sequenceNumber: 0,
    startsStream: false,
    endsStream: false,
  };
  expect(writeOggPage({ ...page, packets: [new Uint8Array(254 * 255 + 254)] }).length).toBe(
    maxOggPageBytes - 1,
  );
  expect(() => writeOggPage({ ...page, packets: [new Uint8Array(255 * 255)] })).toThrow(RangeError);
});

test.for([2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n), -2n, 2n ** 53n, BigInt(maxSoundMs) * 48n + 1n])(
  'reads an impossible position (%s) as none',
  (granule) => {
    const bytes = writeOggPage({
      packets: [Uint8Array.of(0xfc, 1)],
      granulePosition: 0,
      serialNumber: 7,
      sequenceNumber: 2,
      startsStream: false,
      endsStream: true,
    });
    const view = new DataView(bytes.buffer);
    view.setBigInt64(6, granule, true);
    view.setUint32(22, 0, true);
    view.setUint32(22, oggCrc32(bytes), true);
    expect(readOggPage(bytes)).toMatchObject({ granulePosition: -1, endsStream: true });
  },
);
