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

/** Containers that packets can be copied into. */
type PacketContainer = 'mp4' | 'webm';

export interface CopyOptions {
  container: PacketContainer;
  /** The track to copy, counted from 0, and the number of audio tracks according to the reader that chose it. */
  track: number;
  tracks: number;
  /** Packets that begin later are omitted, because an edit list cut them off. */
  untilMs: number;
}

/** `nothing`: the file has no such track, or its packets can't be stored in this container. */
export type Copied = { kind: 'done' } | { kind: 'nothing' };

interface Patch {
  position: number;
  bytes: Uint8Array;
}

const pieceBytes = 1024 * 1024;
/** Audio packets of every codec are shorter. */
const maxPacketBytes = 16 * 1024 * 1024;

const formatOf = (container: PacketContainer): OutputFormat =>
  container === 'mp4' ? new Mp4OutputFormat({ fastStart: false }) : new WebMOutputFormat();

/** The chosen track. Null if the parser finds another number of tracks than expected. */
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
 * The time at which the sound of a track begins: its first timestamp, plus the padding that an MP3 encoder states.
 */
async function startOf(input: Input, file: ReadableFile, track: InputAudioTrack): Promise<number> {
  const inFront = (await input.getFormat()) === MP3 ? await mp3SamplesInFront(file) : 0;
  return Math.max(0, await track.getFirstTimestamp()) + inFront / (await track.getSampleRate());
}

/** Writes the packets of a track so that its sound starts at zero. Encoder padding comes before zero. */
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
    if (packet.byteLength > maxPacketBytes) continue;
    const timestamp = packet.timestamp - startsAtS;
    if (timestamp * 1000 >= options.untilMs) break;
    // The muxer rejects timestamps that go back.
    if (timestamp < endsAtS) continue;
    endsAtS = timestamp;
    await source.add(packet.clone({ timestamp, type: 'key' }), { decoderConfig });
  }
  if (endsAtS === -Infinity) return false;
  await output.finalize();
  return true;
}

/** Records what a muxer writes to positions it has already passed. */
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

/** Outputs a muxer's bytes in order and in large chunks, with the recorded patches already applied. */
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
      if (position > endByte) throw new RangeError('the muxer skipped bytes');
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
 * Copies the packets of one track, without decoding them, into a container with an index, a length and timestamps
 * from zero. The output is append-only: the muxer runs twice, and the second run applies the patches that the
 * first run made.
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
