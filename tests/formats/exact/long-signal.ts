import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  Mp3OutputFormat,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { codeCount, codeMs, sampleRateHz, synthesize, writeWav } from '#tests/faults/signal/coded-signal.ts';
import { oggOfPackets } from '#tests/support/ogg-of-packets.ts';
import type { Piece } from '#tests/faults/signal/read-codes.ts';

/**
 * A time-coded signal of a day that is quick to encode: cells with the time within a block alternate with cells
 * that identify the block. Only one block and the block names are ever encoded; the rest repeats those packets.
 */
const blockMs = 432_000;
/** The block names use the remaining codes: enough for a day in cells of 800 ms. */
const blockCount = (cellMs: number): number => Math.floor((codeCount * codeMs - blockMs) / cellMs);

export interface Encoding {
  file: string;
  ffmpeg: string;
  /** The length of a packet. A cell is a whole number of packets and of codes. */
  packetMs: number;
  cellMs: number;
  /** The delay of its decoders in milliseconds that the file does not state. */
  unstatedDelayMs: number;
}

/** The recorder's encoding at a low bit rate. */
export const opus: Encoding = {
  file: 'material.ogg',
  ffmpeg: '-c:a libopus -b:a 16k -frame_duration 20 -vbr off',
  packetMs: 20,
  cellMs: 800,
  unstatedDelayMs: 0,
};

/** The encoded packets of the material. */
export interface Material extends Encoding {
  packets: EncodedPacket[];
  config: AudioDecoderConfig;
}

/**
 * Encodes the material with ffmpeg.
 * @throws Error with ffmpeg's output.
 */
export async function encodeMaterial(encoding: Encoding): Promise<Material> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-exact-'));
  try {
    const [wav, encoded] = [join(folder, 'material.wav'), join(folder, encoding.file)];
    // The block, followed by a cell for each block's name.
    const samples = synthesize(0, (blockMs + blockCount(encoding.cellMs) * encoding.cellMs) / codeMs);
    writeWav(wav, samples.subarray(Math.round((encoding.unstatedDelayMs / 1000) * sampleRateHz)));
    const { status, stderr } = spawnSync(
      'ffmpeg',
      [
        '-hide_banner',
        '-loglevel',
        'error',
        '-nostdin',
        '-y',
        '-i',
        wav,
        '-ac',
        '1',
        ...encoding.ffmpeg.split(' '),
        encoded,
      ],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return { ...encoding, ...(await packetsOf(encoded)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function packetsOf(path: string): Promise<{ packets: EncodedPacket[]; config: AudioDecoderConfig }> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(readFileSync(path)) });
  const track = await input.getPrimaryAudioTrack();
  const config = await track?.getDecoderConfig();
  if (!track || !config) throw new Error(`${path} has no audio`);
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet);
  return { packets, config };
}

/** The index in the material of the nth packet of the long signal. */
function placeOf({ packetMs, cellMs }: Encoding, nth: number): number {
  const cell = Math.floor((nth * packetMs) / cellMs);
  const perBlock = blockMs / packetMs;
  if (cell % 2 === 0) return nth % perBlock;
  const perCell = cellMs / packetMs;
  return perBlock + Math.floor(nth / perBlock) * perCell + (nth % perCell);
}

function* packetsFor(material: Material, durationMs: number): Generator<EncodedPacket> {
  for (let nth = 0; nth < durationMs / material.packetMs; nth += 1) {
    const packet = material.packets[placeOf(material, nth)];
    if (!packet) throw new RangeError(`no packet ${nth}`);
    yield packet;
  }
}

/** The long signal as the recorder would have written it. */
export function asOggOpus(material: Material, durationMs: number): Buffer {
  return oggOfPackets(
    packetsFor(material, durationMs).map(({ data }) => data),
    { samples: durationMs * 48 - 312 },
  );
}

/**
 * The long signal as an MP3 or M4A file. Several materials get equal parts of the time, so that the bit rate
 * changes, as the file states.
 */
export async function asFile(materials: readonly Material[], durationMs: number): Promise<Buffer> {
  const [first] = materials;
  if (!first) throw new RangeError('nothing to write');
  const target = new BufferTarget();
  const isMp3 = first.config.codec === 'mp3';
  const output = new Output({
    format: isMp3
      ? new Mp3OutputFormat({ xingHeader: materials.length > 1 })
      : new Mp4OutputFormat({ fastStart: 'in-memory' }),
    target,
  });
  const source = new EncodedAudioPacketSource(isMp3 ? 'mp3' : 'aac');
  output.addAudioTrack(source);
  await output.start();
  const startsAt = first.packets[0]?.timestamp ?? 0;
  const streams = materials.map((material) => packetsFor(material, durationMs));
  const count = durationMs / first.packetMs;
  for (let nth = 0; nth < count; nth += 1) {
    const all = streams.map((stream) => stream.next().value);
    const packet = all[Math.floor((nth / count) * materials.length)];
    if (!packet) throw new RangeError(`no packet ${nth}`);
    const timestamp = startsAt + (nth * first.packetMs) / 1000;
    await source.add(
      packet.clone({ timestamp, duration: first.packetMs / 1000 }),
      nth === 0 ? { decoderConfig: first.config } : undefined,
    );
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer());
}

/**
 * The time in the long signal at the beginning of a piece of audio, given the codes decoded from it. Null if it
 * was too short to tell.
 */
export function timeHeard(pieces: readonly Piece[], { cellMs }: Encoding): number | null {
  const [first] = pieces;
  // The boundary between two cells is known less exactly than their middles.
  const middles = pieces.map(({ fromMs, toMs, offsetMs }) => ({
    offsetMs,
    says: (fromMs + toMs) / 2 + offsetMs,
  }));
  const inBlock = middles.find(({ says }) => says < blockMs);
  const inName = middles.find(({ says }) => says >= blockMs);
  if (!first || !inBlock || !inName) return null;
  const block = Math.floor((inName.says - blockMs) / cellMs);
  return block * blockMs + inBlock.offsetMs + first.fromMs;
}

/** Whether the signal near a time belongs to one block. Audio across a block boundary would be ambiguous. */
export const isWithinBlock = (atMs: number): boolean =>
  atMs % blockMs > 4000 && atMs % blockMs < blockMs - 4000;
