import { oggCrc32 } from '#audio/ogg/ogg-crc.ts';
import { writeOggPage } from '#audio/ogg/ogg-page.ts';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { writeOpusHead } from '#audio/ogg/opus-headers.ts';

// Small audio files with implausible numbers.

/** An EBML number in as few bytes as it needs, at least one (RFC 8794 §7.1, big-endian). */
function bigEndian(value: number): Buffer {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

/** An EBML element: its encoded id, and its size in one byte or four (RFC 8794 §5, §6). */
function element(id: string, content: Uint8Array): Buffer {
  const size =
    content.length < 127
      ? Buffer.of(0x80 | content.length)
      : Buffer.from([
          0x10 | (content.length >> 24),
          (content.length >> 16) & 255,
          (content.length >> 8) & 255,
          content.length & 255,
        ]);
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
}

const elements = (...parts: (readonly [string, Uint8Array])[]): Buffer =>
  Buffer.concat(parts.map(([id, content]) => element(id, content)));
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Six empty frames of 20 ms (RFC 6716 §3.2.5). */
const emptyPacket = Buffer.of(0xfb, 0x06);
export const emptyPacketMs = 120;

interface Track {
  codec: string;
  rateHz: number;
  details: Buffer;
  packet: Uint8Array;
}

/** Matroska without cues or duration: each packet in its own cluster with the given timestamp. */
function clustersAt(
  momentsMs: readonly number[],
  docType: 'webm' | 'matroska',
  { codec, rateHz, details, packet }: Track,
): Buffer {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(rateHz);
  const sound = element(
    'e1',
    Buffer.concat([
      element('b5', rate),
      element('9f', Buffer.of(1)),
      ...(docType === 'matroska' ? [element('6264', Buffer.of(16))] : []),
    ]),
  );
  const track = element(
    'ae',
    Buffer.concat([
      elements(['d7', Buffer.of(1)], ['73c5', Buffer.of(1)], ['83', Buffer.of(2)], ['86', latin(codec)]),
      details,
      sound,
    ]),
  );
  const clusters = momentsMs.map((atMs) =>
    element(
      '1f43b675',
      elements(['e7', bigEndian(atMs)], ['a3', Buffer.concat([Buffer.of(0x81, 0, 0, 0x80), packet])]),
    ),
  );
  return Buffer.concat([
    element(
      '1a45dfa3',
      elements(
        ['4286', Buffer.of(1)],
        ['42f7', Buffer.of(1)],
        ['42f2', Buffer.of(4)],
        ['42f3', Buffer.of(8)],
        ['4282', latin(docType)],
        ['4287', Buffer.of(4)],
        ['4285', Buffer.of(2)],
      ),
    ),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    element(
      '1549a966',
      elements(['2ad7b1', Buffer.from('0f4240', 'hex')], ['4d80', latin('x')], ['5741', latin('x')]),
    ),
    element('1654ae6b', track),
    ...clusters,
  ]);
}

/** WebM as MediaRecorder writes it: packets of 120 ms in two bytes. */
export const webmAt = (momentsMs: readonly number[]): Buffer =>
  clustersAt(momentsMs, 'webm', {
    codec: 'A_OPUS',
    rateHz: 48_000,
    packet: emptyPacket,
    details: element('63a2', writeOpusHead({ channels: 1, preSkip: 312, inputSampleRateHz: 48_000 })),
  });

/** Matroska with uncompressed audio of constant loudness: packets of 100 ms. */
export const loudMatroskaAt = (momentsMs: readonly number[]): Buffer =>
  clustersAt(momentsMs, 'matroska', {
    codec: 'A_PCM/INT/LIT',
    rateHz: 8000,
    packet: Buffer.alloc(800 * 2, 0x40),
    details: Buffer.alloc(0),
  });

/** `count` consecutive packets. All after the first `before` of them are late by `leapMs`. */
export const webmWithLeap = ({
  before,
  count,
  leapMs,
}: {
  before: number;
  count: number;
  leapMs: number;
}): Buffer =>
  webmAt(Array.from({ length: count }, (_, index) => index * emptyPacketMs + (index >= before ? leapMs : 0)));

/** Ogg/Opus of eleven packets of 20 ms, whose last page claims to end at `granule`. */
export function oggEndingAt(granule: bigint): Buffer {
  const writer = new OpusStreamWriter({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
    serialNumber: 1,
    vendor: 'Earshot',
  });
  const packet = Uint8Array.of(0xf8, 0xff, 0xfe);
  const sound = writeOggPage({
    packets: Array.from({ length: 10 }, () => packet),
    granulePosition: 9600,
    serialNumber: 1,
    sequenceNumber: 2,
    startsStream: false,
    endsStream: false,
  });
  const last = writeOggPage({
    packets: [packet],
    granulePosition: 0,
    serialNumber: 1,
    sequenceNumber: 3,
    startsStream: false,
    endsStream: true,
  });
  new DataView(last.buffer).setBigInt64(6, granule, true);
  return Buffer.concat([...writer.headers().map(({ bytes }) => bytes), sound, withChecksum(last)]);
}

/** Updates the checksum in the page to match its bytes, and returns the page. */
function withChecksum(page: Uint8Array): Uint8Array {
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  view.setUint32(22, 0, true);
  view.setUint32(22, oggCrc32(page), true);
  return page;
}
