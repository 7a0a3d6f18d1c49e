import {
  CustomSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from 'mediabunny';
import { isEndlessMp4 } from '#audio/containers/endless-mp4.ts';
import { movingSource } from '#audio/containers/moving-source.ts';
import { readOpusHead, type OpusHead } from '#audio/ogg/opus-headers.ts';
import { second } from '#base/duration.ts';
import { nearestWithin } from '#base/numbers/untrusted-numbers.ts';

/** A file that is read in pieces, from wherever it lies. */
export interface ReadableFile {
  sizeBytes: number;
  read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;
}

/** One compressed packet and the moment its recorder put on it. */
export interface TimedPacket {
  bytes: Uint8Array;
  atMs: number;
}

/** The Opus track of a recorder's file, its packets not yet read. */
export interface OpusTrack {
  head: OpusHead;
  packets: () => AsyncGenerator<TimedPacket, void, unknown>;
}

/**
 * What a file turned out to hold. `nothing`: not even the beginning of a track, as in a file torn within its
 * headers.
 */
export type FoundTrack =
  | { kind: 'opus'; track: OpusTrack }
  | { kind: 'other'; codec: string }
  | { kind: 'nothing' };

const pieceBytes = 256 * 1024;
const cacheBytes = 4 * 1024 * 1024;

/** Few large reads instead of many small ones: each of them crosses a thread. */
function inLargePieces(
  file: ReadableFile,
): (startByte: number, endByteExclusive: number) => Promise<Uint8Array> {
  let piece = { startByte: 0, bytes: new Uint8Array(0) };
  return async (startByte, endByteExclusive) => {
    const isInside = startByte >= piece.startByte && endByteExclusive <= piece.startByte + piece.bytes.length;
    if (!isInside) {
      const endsAt = Math.min(file.sizeBytes, Math.max(endByteExclusive, startByte + pieceBytes));
      piece = { startByte, bytes: new Uint8Array(await file.read(startByte, endsAt)) };
    }
    return piece.bytes.slice(startByte - piece.startByte, endByteExclusive - piece.startByte);
  };
}

/**
 * A description is the OpusHead itself (WebCodecs Opus registration §3); without one the track's own figures
 * serve.
 */
function headOf(description: unknown, otherwise: OpusHead): OpusHead {
  if (description instanceof ArrayBuffer) return readOpusHead(new Uint8Array(description)) ?? otherwise;
  if (!ArrayBuffer.isView(description)) return otherwise;
  return (
    readOpusHead(new Uint8Array(description.buffer, description.byteOffset, description.byteLength)) ??
    otherwise
  );
}

/**
 * Yields every whole packet of a track in the order of the file. A file that was torn, as by a browser that
 * was killed, ends in part of a packet, on which the parser may throw: the packets before that part are
 * yielded.
 * @throws ReadFailure where the store could not be read
 */
export async function* wholePackets(track: InputAudioTrack): AsyncGenerator<EncodedPacket, void, unknown> {
  const sink = new EncodedPacketSink(track);
  const orNull = (error: unknown): null => {
    if (error instanceof ReadFailure) throw error;
    return null;
  };
  // Not `sink.packets()`: it reads ahead, and where that throws it drops the packets that it has read, in MP4
  // a whole fragment.
  let packet = await sink.getFirstPacket().catch(orNull);
  while (packet !== null) {
    if (packet.byteLength > 0) yield packet;
    packet = await sink.getNextPacket(packet).catch(orNull);
  }
}

async function* timedPackets(track: InputAudioTrack): AsyncGenerator<TimedPacket, void, unknown> {
  for await (const { data, timestamp } of wholePackets(track))
    yield { bytes: data, atMs: timestamp * second };
}

/** The store could not be read: not the file's fault, and worth another attempt. */
export class ReadFailure extends Error {
  constructor(cause: unknown) {
    super('a recorder’s file could not be read', { cause });
    this.name = 'ReadFailure';
  }
}

/** Opens a file for the parser, which reads of it only what it needs. */
export function openInput(file: ReadableFile, formats: InputFormat[]): Input {
  const read = inLargePieces(file);
  const source = new CustomSource({
    getSize: () => file.sizeBytes,
    maxCacheSize: cacheBytes,
    read: async (startByte, endByteExclusive) =>
      read(startByte, endByteExclusive).catch((error: unknown) => {
        throw new ReadFailure(error);
      }),
  });
  return new Input({ formats, source: movingSource(source) });
}

/**
 * The track of sound of a file that was opened; null where it has none, or its tables would keep the parser
 * for ever.
 */
export async function trackOf(input: Input, file: ReadableFile): Promise<InputAudioTrack | null> {
  const format = await input.getFormat();
  return (format === MP4 || format === QTFF) && (await isEndlessMp4(file))
    ? null
    : input.getPrimaryAudioTrack();
}

/**
 * Opens a file as MediaRecorder writes it (WebM without cues or length, fragmented MP4, Ogg), also one
 * without its end.
 */
export async function openRecorderFile(file: ReadableFile): Promise<FoundTrack> {
  if (file.sizeBytes === 0) return { kind: 'nothing' };
  const input = openInput(file, [WEBM, MATROSKA, MP4, QTFF, OGG]);
  try {
    const track = await trackOf(input, file);
    if (track === null) return { kind: 'nothing' };
    const codec = await track.getCodec();
    if (codec !== 'opus' || (await track.getNumberOfChannels()) > 2)
      return { kind: 'other', codec: codec ?? 'unknown' };
    const otherwise = {
      channels: await track.getNumberOfChannels(),
      preSkip: 0,
      inputSampleRateHz: await track.getSampleRate(),
    };
    const head = headOf((await track.getDecoderConfig())?.description, otherwise);
    // A damaged header may claim any number of channels; our Ogg holds one or two.
    const channels = nearestWithin(head.channels, { least: 1, most: 2 });
    return { kind: 'opus', track: { head: { ...head, channels }, packets: () => timedPackets(track) } };
  } catch (error) {
    if (error instanceof ReadFailure) throw error;
    return { kind: 'nothing' };
  }
}
