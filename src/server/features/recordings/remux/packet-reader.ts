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

/** A file with random access, independent of its store. */
export interface ReadableFile {
  sizeBytes: number;
  read: (startByte: number, endByteExclusive: number) => Promise<Uint8Array>;
}

/** A compressed packet and its timestamp. */
export interface TimedPacket {
  bytes: Uint8Array;
  atMs: number;
}

/** The Opus track of a recorder's file. Its packets have not been read yet. */
export interface OpusTrack {
  head: OpusHead;
  packets: () => AsyncGenerator<TimedPacket, void, unknown>;
}

/** The contents of a file. `nothing`: not even the start of a track, as in a file truncated within its headers. */
export type FoundTrack =
  | { kind: 'opus'; track: OpusTrack }
  | { kind: 'other'; codec: string }
  | { kind: 'nothing' };

const pieceBytes = 256 * 1024;
const cacheBytes = 4 * 1024 * 1024;

/** Replaces many small reads with few large ones, because each read crosses a process boundary. */
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
 * The codec description is the OpusHead itself (WebCodecs Opus registration §3). Without it the track's own
 * parameters are used.
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
 * Yields every complete packet of a track in file order. A file that was truncated, for example because the
 * browser was killed, ends with a partial packet, on which the parser may throw. All packets before it are
 * yielded.
 * @throws ReadFailure if the store can't be read
 */
export async function* wholePackets(track: InputAudioTrack): AsyncGenerator<EncodedPacket, void, unknown> {
  const sink = new EncodedPacketSink(track);
  const orNull = (error: unknown): null => {
    if (error instanceof ReadFailure) throw error;
    return null;
  };
  // `sink.packets()` reads ahead, and if that throws it drops packets already read, in MP4 a whole fragment.
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

/** The store could not be read. The file is not at fault, and a retry may succeed. */
export class ReadFailure extends Error {
  constructor(cause: unknown) {
    super('the store could not read the file', { cause });
    this.name = 'ReadFailure';
  }
}

/** Opens a file for the parser, which reads only the parts it needs. */
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
 * The primary audio track of an open file. Null if it has none, or if its tables would make the parser loop
 * endlessly.
 */
export async function trackOf(input: Input, file: ReadableFile): Promise<InputAudioTrack | null> {
  const format = await input.getFormat();
  return (format === MP4 || format === QTFF) && (await isEndlessMp4(file))
    ? null
    : input.getPrimaryAudioTrack();
}

/**
 * Opens a file from MediaRecorder (WebM without cues or duration, fragmented MP4, Ogg), even if its end is
 * missing.
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
    // A damaged header may claim any number of channels; our Ogg files have one or two.
    const channels = nearestWithin(head.channels, { min: 1, max: 2 });
    return { kind: 'opus', track: { head: { ...head, channels }, packets: () => timedPackets(track) } };
  } catch (error) {
    if (error instanceof ReadFailure) throw error;
    return { kind: 'nothing' };
  }
}
