import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Mp4OutputFormat, Output } from 'mediabunny';
import { makeWav } from './made-wav.ts';
import { type DamagedFile, type NumberDamage, withEachNumber } from './damaged-numbers.ts';
import { emptyPacketMs, webmAt } from './strange-sound.ts';

/** A complete audio file of a few hundred bytes, small enough to damage each of its numbers. */
interface SmallSoundFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The byte orders of the container's numbers. */
  orders: readonly NumberDamage['order'][];
  /** The length of the part that contains its numbers; the rest is audio. */
  headersBytes: number;
}

/**
 * Silent frames of MPEG-1 layer III, 128 kbit/s, 44.1 kHz, two channels, after an ID3v2 tag with a title and a
 * Xing frame with its table.
 */
function smallMp3(frames = 4): Uint8Array<ArrayBuffer> {
  const frame = (): Buffer => Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0), Buffer.alloc(413)]);
  const xing = frame();
  xing.write('Xing', 36, 'latin1');
  xing.writeUInt32BE(7, 40);
  xing.writeUInt32BE(frames, 44);
  xing.writeUInt32BE((frames + 1) * 417, 48);
  for (let place = 0; place < 100; place += 1) xing[52 + place] = Math.floor((place * 256) / 100);
  const title = Buffer.concat([Buffer.from('TIT2'), Buffer.of(0, 0, 0, 6, 0, 0, 3), Buffer.from('speech')]);
  title[7] = 7;
  const tag = Buffer.concat([Buffer.from('ID3'), Buffer.of(4, 0, 0, 0, 0, 0, title.length), title]);
  return new Uint8Array(Buffer.concat([tag, xing, ...Array.from({ length: frames }, frame)]));
}

function crc(bytes: Uint8Array, { bits, polynomial }: { bits: 8 | 16; polynomial: number }): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1)
      value = (value & (1 << (bits - 1))) === 0 ? value << 1 : (value << 1) ^ polynomial;
    value &= (1 << bits) - 1;
  }
  return value;
}

/** A FLAC frame: 4,096 samples of silence, 44.1 kHz, one channel, 16 bits, one constant subframe (RFC 9639 §9). */
function flacFrame(number: number): Buffer {
  const header = Buffer.of(0xff, 0xf8, 0xc9, 0x08, number);
  const body = Buffer.concat([
    header,
    Buffer.of(crc(header, { bits: 8, polynomial: 0x07 })),
    Buffer.of(0, 0, 0),
  ]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(crc(body, { bits: 16, polynomial: 0x8005 }));
  return Buffer.concat([body, end]);
}

/** A FLAC file with stream information, a seek table of one point and a comment. */
function smallFlac(frames = 4): Uint8Array<ArrayBuffer> {
  const block = (type: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.of(type, 0, 0, content.length), content]);
  const information = Buffer.alloc(34);
  information.writeUInt16BE(4096, 0);
  information.writeUInt16BE(4096, 2);
  information.writeBigUInt64BE((44_100n << 44n) | (15n << 36n) | BigInt(frames * 4096), 10);
  const seek = Buffer.alloc(18);
  seek.writeUInt16BE(4096, 16);
  const comment = Buffer.concat([
    Buffer.of(1, 0, 0, 0),
    Buffer.from('x'),
    Buffer.of(1, 0, 0, 0, 7, 0, 0, 0),
    Buffer.from('TITLE=a'),
  ]);
  const blocks = [block(0, information), block(3, seek), block(0x84, comment)];
  return new Uint8Array(
    Buffer.concat([
      Buffer.from('fLaC'),
      ...blocks,
      ...Array.from({ length: frames }, (_, number) => flacFrame(number)),
    ]),
  );
}

/** Some PCM packets in MP4 at the given times, with sample tables or as fragments. */
async function smallMp4(
  kind: 'tables' | 'fragments',
  momentsS: readonly number[] = [0, 0.01, 0.02, 0.03],
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget();
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: kind === 'fragments' ? 'fragmented' : 'in-memory' }),
    target,
  });
  const source = new EncodedAudioPacketSource('pcm-s16');
  output.addAudioTrack(source);
  await output.start();
  const config = { decoderConfig: { codec: 'pcm-s16', numberOfChannels: 1, sampleRate: 1000 } };
  for (const atS of momentsS)
    await source.add(new EncodedPacket(new Uint8Array(20), 'key', atS, 0.01), config);
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

/** One small file for each container whose numbers have no checksum. */
export async function smallSoundFiles(): Promise<SmallSoundFile[]> {
  const files: Omit<SmallSoundFile, 'headersBytes'>[] = [
    {
      name: 'a.wav',
      orders: ['little-endian'],
      bytes: new Uint8Array(makeWav({ seconds: 0.02, sampleRateHz: 1000, tags: { INAM: 'walk' } })),
    },
    { name: 'a.mp3', orders: ['big-endian'], bytes: smallMp3() },
    { name: 'a.flac', orders: ['big-endian', 'little-endian'], bytes: smallFlac() },
    { name: 'tables.mp4', orders: ['big-endian'], bytes: await smallMp4('tables') },
    { name: 'fragments.mp4', orders: ['big-endian'], bytes: await smallMp4('fragments') },
    {
      name: 'a.webm',
      orders: ['big-endian'],
      bytes: new Uint8Array(webmAt([0, emptyPacketMs, 2 * emptyPacketMs])),
    },
  ];
  const tagAndTablesOfMp3Bytes = 200;
  return files.map((file) => ({
    ...file,
    headersBytes: file.name === 'a.mp3' ? tagAndTablesOfMp3Bytes : file.bytes.length,
  }));
}

/**
 * A file with more header bytes gets every third damage, which still reaches every offset. `DAMAGE_ALL` applies
 * all of them.
 */
const longHeadersBytes = 600;

/** The file with each of its numbers damaged in turn. */
export function damagesOf({ bytes, orders, headersBytes }: SmallSoundFile): DamagedFile[] {
  const step = headersBytes > longHeadersBytes && process.env.DAMAGE_ALL === undefined ? 3 : 1;
  return withEachNumber(bytes, { toByte: headersBytes, orders }).filter((_, index) => index % step === 0);
}
