import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeOggPage } from './ogg-page.ts';
import { readOpusHead, readOpusTags, writeOpusHead, writeOpusTags } from './opus-headers.ts';
import { opusPacketSamples } from './opus-packet.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('writes the first page of a stream byte for byte as in RFC 7845 §5.1 and RFC 3533', () => {
  const head = writeOpusHead({ channels: 1, preSkip: 312, inputSampleRateHz: 44_100 });
  const page = writeOggPage({
    packets: [head],
    granulePosition: 0,
    serialNumber: 0x01020304,
    sequenceNumber: 0,
    startsStream: true,
    endsStream: false,
  });
  expect(hex(page)).toBe(
    '4f676753000200000000000000000403020100000000b121709c01134f707573486561640101380144ac0000000000',
  );
});

test('writes the comment header as in RFC 7845 §5.2', () => {
  expect(hex(writeOpusTags({ vendor: 'Earshot', comments: [] }))).toBe(
    '4f707573546167730700000045617273686f7400000000',
  );
});

test('reads back written headers, in any script', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 }),
      fc.nat(65_535),
      fc.nat(2 ** 31),
      (channels, preSkip, inputSampleRateHz) => {
        const head = { channels, preSkip, inputSampleRateHz };
        expect(readOpusHead(writeOpusHead(head))).toEqual(head);
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.string({ unit: 'grapheme' })),
      (vendor, comments) => {
        expect(readOpusTags(writeOpusTags({ vendor, comments }))).toEqual({ vendor, comments });
      },
    ),
  );
});

test('rejects bytes that are not a header without an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(readOpusHead(bytes)).toBeNull();
      expect(readOpusTags(bytes)).toBeNull();
    }),
  );
  const tags = writeOpusTags({ vendor: 'a', comments: ['TITLE=b'] });
  for (let sizeBytes = 0; sizeBytes < tags.length; sizeBytes++)
    expect(readOpusTags(tags.subarray(0, sizeBytes))).toBeNull();
  const nextMajorVersion = writeOpusHead({ channels: 1, preSkip: 0, inputSampleRateHz: 0 });
  nextMajorVersion[8] = 16;
  expect(readOpusHead(nextMajorVersion)).toBeNull();
});

test.each([
  ['SILK 10 ms', [0 << 3], 480],
  ['SILK 60 ms', [3 << 3], 2880],
  ['hybrid 10 ms', [12 << 3], 480],
  ['hybrid 20 ms', [15 << 3], 960],
  ['CELT 2.5 ms', [16 << 3], 120],
  ['CELT 20 ms', [31 << 3], 960],
  ['two frames of 20 ms', [(31 << 3) | 1], 1920],
  ['two unequal frames', [(31 << 3) | 2], 1920],
  ['six frames of 20 ms, counted in the second byte', [(31 << 3) | 3, 6], 5760],
  ['63 frames of 60 ms, of which no packet may have more than two', [(3 << 3) | 3, 0x3f], 5760],
  ['an empty packet', [], 0],
])('measures the length of a packet by its TOC byte (RFC 6716 §3.1): %s', (_, bytes, samples) => {
  expect(opusPacketSamples(Uint8Array.from(bytes))).toBe(samples);
});
