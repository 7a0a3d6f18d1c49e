import {
  type AudioCodec,
  EncodedAudioPacketSource,
  type Input,
  type InputAudioTrack,
  MP3,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  StreamTarget,
  type StreamTargetChunk,
  WebMOutputFormat,
} from 'mediabunny';
import { mp3SamplesInFront } from '#audio/containers/stated/mp3-facts.ts';
import { openInput, type ReadableFile, trackOf, wholePackets } from './packet-reader.ts';
import { importFormats } from './import-formats.ts';

/** What a copy of packets can be. */
type PacketContainer = 'mp4' | 'webm';

export interface CopyOptions {
  container: PacketContainer;
  /**
   * Which of the file's tracks of sound, from 0, and how many there are by the count of the reader that chose
   * it.
   */
  track: number;
  tracks: number;
  /** Packets that begin later are left out: an edit list cut them off. */
  untilMs: number;
}

/** `nothing`: the file has no such track, or its packets cannot lie in such a container. */
export type Copied = { kind: 'done' } | { kind: 'nothing' };

interface Patch {
  position: number;
  bytes: Uint8Array;
}

const pieceBytes = 1024 * 1024;
/** Packets of sound of any codec are shorter. */
const mostPacketBytes = 16 * 1024 * 1024;

const formatOf = (container: PacketContainer): OutputFormat =>
  container === 'mp4' ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat();

/** The chosen track; null where the parser sees others than were counted. */
async function chosenTrack(
  input: Input,
  file: ReadableFile,
  { track, tracks }: CopyOptions,
): Promise<InputAudioTrack | null> {
  if ((await trackOf(input, file)) === null) return null;
  const found = await input.getAudioTracks();
  return found.length === tracks ? (found[track] ?? null) : null;
}

/**
 * Where the sound of a track begins: at its first timestamp, and behind what an MP3 encoder says that it put
 * in front.
 */
async function startOf(input: Input, file: ReadableFile, track: InputAudioTrack): Promise<number> {
  const inFront = (await input.getFormat()) === MP3 ? await mp3SamplesInFront(file) : 0;
  return Math.max(0, await track.getFirstTimestamp()) + inFront / (await track.getSampleRate());
}

/**
 * Writes the packets of a track, its sound beginning at zero; what an encoder put in front stays before that.
 */
interface Writing {
  codec: AudioCodec;
  startsAtS: number;
  options: CopyOptions;
  writable: WritableStream<StreamTargetChunk>;
}

async function write(
  track: InputAudioTrack,
  { codec, startsAtS, options, writable }: Writing,
): Promise<boolean> {
  const output = new Output({ format: formatOf(options.container), target: new StreamTarget(writable) });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = await track.getDecoderConfig();
  if (decoderConfig === null) return false;
  let endsAtS = -Infinity;
  for await (const packet of wholePackets(track)) {
    if (packet.byteLength > mostPacketBytes) continue;
    const timestamp = packet.timestamp - startsAtS;
    if (timestamp * 1000 >= options.untilMs) break;
    // A clock that goes backwards would be refused.
    if (timestamp < endsAtS) continue;
    endsAtS = timestamp;
    await source.add(packet.clone({ timestamp, type: 'key' }), { decoderConfig });
  }
  if (endsAtS === -Infinity) return false;
  await output.finalize();
  return true;
}

/** Notes what a muxer writes into places that it has left already. */
function notingPatches(): { writable: WritableStream<StreamTargetChunk>; patches: Patch[] } {
  const patches: Patch[] = [];
  let endByte = 0;
  const writable = new WritableStream<StreamTargetChunk>({
    write: ({ data, position }) => {
      if (position < endByte) patches.push({ position, bytes: data.slice() });
      endByte = Math.max(endByte, position + data.length);
    },
  });
  return { writable, patches };
}

/** Gives what a muxer writes in order, the patches already in their places, in large pieces. */
function givingInOrder(
  patches: readonly Patch[],
  give: (bytes: Uint8Array) => Promise<void>,
): WritableStream<StreamTargetChunk> {
  let endByte = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    if (waitingBytes === 0) return;
    const whole = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    await give(whole);
  };
  return new WritableStream<StreamTargetChunk>({
    async write({ data, position }) {
      if (position < endByte) return;
      if (position > endByte) throw new RangeError('a muxer left bytes out');
      const bytes = data.slice();
      for (const patch of patches) {
        const at = patch.position - position;
        for (
          let index = Math.max(0, -at);
          index < patch.bytes.length && at + index < bytes.length;
          index += 1
        )
          bytes[at + index] = patch.bytes[index] ?? 0;
      }
      endByte += bytes.length;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= pieceBytes) await flush();
    },
    close: flush,
  });
}

/**
 * Copies the packets of one track into a container with an index, a length and a clock that begins at zero,
 * without decoding them. What comes out is only ever appended to: the muxer runs twice, and what it would go
 * back for the first time is known the second time.
 */
export async function copyTrack(
  file: ReadableFile,
  options: CopyOptions,
  give: (bytes: Uint8Array) => Promise<void>,
): Promise<Copied> {
  const first = notingPatches();
  for (const writable of [first.writable, null]) {
    const input = openInput(file, importFormats);
    const track = await chosenTrack(input, file, options);
    const codec = (await track?.getCodec()) ?? null;
    if (
      track === null ||
      codec === null ||
      !formatOf(options.container).getSupportedAudioCodecs().includes(codec)
    )
      return { kind: 'nothing' };
    const startsAtS = await startOf(input, file, track);
    if (
      !(await write(track, {
        codec,
        startsAtS,
        options,
        writable: writable ?? givingInOrder(first.patches, give),
      }))
    )
      return { kind: 'nothing' };
  }
  return { kind: 'done' };
}
