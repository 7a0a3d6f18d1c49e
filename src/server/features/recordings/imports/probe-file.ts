import {
  ADTS,
  type EncodedPacket,
  EncodedPacketSink,
  FLAC,
  type Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  UnsupportedInputFormatError,
  WAVE,
  WEBM,
} from 'mediabunny';
import {
  type ForeignContainer,
  foreignContainerOf,
  signatureBytes,
} from '#audio/containers/foreign-container.ts';
import { readStatedFacts } from '#audio/containers/stated/read-stated-facts.ts';
import type { StatedFacts } from '#audio/containers/stated/stated-facts.ts';
import { type WavLayout, wavLayout, wavLengthMs } from '#audio/containers/stated/wav-layout.ts';
import { minHoleMs } from '#audio/min-hole.ts';
import { isEndlessMp4 } from '#audio/containers/endless-mp4.ts';
import { isProtectedMp4 } from '#audio/containers/protected-mp4.ts';
import { opusGranuleRateHz, opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { second } from '#base/duration.ts';
import { boundedDurationMs, maxSilenceMs, maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import type { Format } from '#contract/formats.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import { boundedFormat } from './format-of-track.ts';
import { type Hole, maxHoles } from '#server/processes/ffmpeg/placed-sound.ts';
import { importFormats } from '#server/features/recordings/remux/import-formats.ts';
import {
  openInput,
  type ReadableFile,
  ReadFailure,
  trackOf,
  wholePackets,
} from '#server/features/recordings/remux/packet-reader.ts';
import { type PacketRun, TimelineOfPackets } from '#server/features/recordings/remux/timeline-of-packets.ts';

type Reason = NonNullable<RecordingDetails['failureReason']>;

/**
 * The contents of a file: `sound`, with what its headers state; `foreign`, in a container that only ffmpeg reads;
 * or `none` with the reason.
 */
export type Probed =
  | {
      kind: 'sound';
      format: Format;
      durationMs: number | null;
      hasPictures: boolean;
      isQuickTime: boolean;
      stated: StatedFacts;
    }
  | { kind: 'foreign'; container: ForeignContainer }
  | { kind: 'none'; reason: Reason };

const containers = new Map<InputFormat, Format['container']>([
  [MP4, 'mp4'],
  [QTFF, 'other'],
  [WEBM, 'webm'],
  [MATROSKA, 'matroska'],
  [OGG, 'ogg'],
  [WAVE, 'wav'],
  [FLAC, 'flac'],
  [MP3, 'mp3'],
  [ADTS, 'adts'],
  [MPEG_TS, 'other'],
]);
/** Codec names that the parser reports without supporting the codec. */
const codecName = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** The parser reports every layer of MPEG audio as `mp3`; browsers only play layer 3. */
const layerOf = ([, second = 0]: Uint8Array): number => 4 - ((second >> 1) & 3);

async function codecOf(track: InputAudioTrack, first: EncodedPacket): Promise<string> {
  const codec = await track.getCodec();
  if (codec === 'mp3' && layerOf(first.data) !== 3) return `mp${layerOf(first.data)}`;
  if (codec !== null) return codec;
  const own = await track.getInternalCodecId();
  const name = typeof own === 'string' ? own.trim().toLowerCase() : '';
  return codecName.test(name) ? name : 'unknown';
}

async function durationMsOf(file: ReadableFile, track: InputAudioTrack): Promise<number | null> {
  const claimed = await track.getDurationFromMetadata().catch(() => null);
  return boundedDurationMs(claimed === null ? null : claimed * second, file);
}

/** Encoders and recorders place the first packet a few milliseconds before or after zero. */
const latestStartS = 0.05;

async function soundOf(file: ReadableFile, input: Input, track: InputAudioTrack): Promise<Probed> {
  const first = await new EncodedPacketSink(track).getFirstPacket();
  if (first === null || first.byteLength === 0) return { kind: 'none', reason: 'empty' };
  const codec = await codecOf(track, first);
  const found = await input.getFormat();
  const isQuickTime = found === QTFF;
  const format = boundedFormat({
    container: containers.get(found) ?? 'other',
    codec,
    sampleRateHz: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
  });
  const stated = await readStatedFacts(format.container, file);
  if (first.timestamp > latestStartS) stated.obstacles.push('late-start');
  return {
    kind: 'sound',
    format,
    durationMs: await durationMsOf(file, track),
    hasPictures: (await input.getVideoTracks()).length > 0,
    isQuickTime,
    stated,
  };
}

async function probeTracks(file: ReadableFile): Promise<Probed> {
  const input = openInput(file, importFormats);
  const format = await input.getFormat();
  if (format === MP4 || format === QTFF) {
    if (await isProtectedMp4(file)) return { kind: 'none', reason: 'encrypted' };
    if (await isEndlessMp4(file)) return { kind: 'none', reason: 'damaged' };
  }
  const track = await input.getPrimaryAudioTrack();
  if (track !== null) return soundOf(file, input, track);
  if ((await input.getTracks()).length > 0) return { kind: 'none', reason: 'no-audio-track' };
  return format === OGG
    ? { kind: 'foreign', container: { container: 'ogg' } }
    : { kind: 'none', reason: 'damaged' };
}

const sampleCodec = ({ format, bytesPerSample }: WavLayout): string => {
  if (format === 6 || format === 7) return format === 6 ? 'alaw' : 'ulaw';
  return `pcm-${format === 3 ? 'f' : bytesPerSample === 1 ? 'u' : 's'}${8 * bytesPerSample}`;
};

/** Encoded sound in a RIFX file. Every reader would treat its numbers as little-endian and play noise. */
async function isMisreadRifx(file: ReadableFile): Promise<boolean> {
  const head = await file.read(0, Math.min(4, file.sizeBytes));
  return String.fromCharCode(...head) === 'RIFX' && (await wavLayout(file)) === null;
}

/** Uncompressed samples behind a header whose sizes were never written. The parser considers such a file empty. */
async function samplesOf(file: ReadableFile): Promise<Probed | null> {
  const layout = await wavLayout(file);
  if (layout === null || layout.dataBytes === 0) return null;
  const format = boundedFormat({
    container: 'wav',
    codec: sampleCodec(layout),
    sampleRateHz: layout.sampleRateHz,
    channels: layout.channels,
  });
  return {
    kind: 'sound',
    format,
    durationMs: boundedDurationMs(wavLengthMs(layout), file),
    hasPictures: false,
    isQuickTime: false,
    stated: await readStatedFacts('wav', file),
  };
}

/**
 * Determines the contents of a file while reading as little of it as possible. Rejects only if the store can't be
 * read.
 */
export async function probeImportedFile(file: ReadableFile): Promise<Probed> {
  if (file.sizeBytes === 0) return { kind: 'none', reason: 'empty' };
  if (await isMisreadRifx(file)) return { kind: 'none', reason: 'format-unsupported' };
  const foreign = foreignContainerOf(await file.read(0, Math.min(signatureBytes, file.sizeBytes)));
  if (foreign !== null) return { kind: 'foreign', container: foreign };
  try {
    const found = await probeTracks(file);
    return found.kind === 'none' ? ((await samplesOf(file)) ?? found) : found;
  } catch (error) {
    if (error instanceof ReadFailure) throw error;
    const samples = await samplesOf(file);
    if (samples !== null) return samples;
    return { kind: 'none', reason: error instanceof UnsupportedInputFormatError ? 'not-audio' : 'damaged' };
  }
}

/** What all packets of a file say of its times. */
export interface Measured {
  /** The duration of the sound; null if unknown. */
  durationMs: number | null;
  /** Whether the times claim much more than the bytes can hold, which players would believe. */
  hasAbsurdTimes: boolean;
  /** The duration of all packets without the holes between them; null if they were not read. */
  packetsMs: number | null;
  /** The holes between the packets; none if they were not read. */
  holes: readonly Hole[];
}

/** Nothing is known of the times of a file. */
export const unmeasured: Measured = { durationMs: null, hasAbsurdTimes: false, packetsMs: null, holes: [] };

type PacketTimes = Pick<Measured, 'packetsMs' | 'holes' | 'hasAbsurdTimes'>;

/** The total duration of a track's Opus packets. */
async function opusPacketsMs(track: InputAudioTrack): Promise<number> {
  let samples = 0;
  for await (const { data } of wholePackets(track)) samples += opusPacketSamples(data);
  return (samples * second) / opusGranuleRateHz;
}

/** Reads all packets of a track if they are Opus, whose packets alone say how long they are. */
async function packetTimesOf(track: InputAudioTrack): Promise<PacketTimes> {
  if ((await track.getCodec()) !== 'opus') return unmeasured;
  const packetsMs = await opusPacketsMs(track);
  const timeline = new TimelineOfPackets({
    channels: 1,
    minHoleMs,
    maxSilenceMs: maxSilenceMs(packetsMs),
  });
  const holes: Hole[] = [];
  let atMs = 0;
  const take = (runs: readonly PacketRun[]): void => {
    for (const { bytes, times, isSilence } of runs) {
      const toMs = atMs + (times * opusPacketSamples(bytes) * second) / opusGranuleRateHz;
      if (isSilence && holes.length < maxHoles) holes.push({ fromMs: atMs, toMs, isSudden: true });
      atMs = toMs;
    }
  };
  for await (const { data, timestamp } of wholePackets(track))
    take(timeline.push({ bytes: data, atMs: timestamp * second }));
  take(timeline.finish());
  return { packetsMs, holes, hasAbsurdTimes: timeline.hasAbsurdTimes };
}

/**
 * Measures the duration of a file's sound. If its timestamps claim more than its bytes can hold, the packets
 * determine the duration.
 * @param options.readsPackets whether all packets are read in any case, because nothing else reads them
 */
export async function measureFile(
  file: ReadableFile,
  { readsPackets }: { readsPackets: boolean },
): Promise<Measured> {
  try {
    const track = await trackOf(openInput(file, importFormats), file);
    if (track === null) return unmeasured;
    const claimedMs =
      ((await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp())) * second;
    const isTooMuch = claimedMs > maxSoundMsOf(file.sizeBytes);
    const packets = isTooMuch || readsPackets ? await packetTimesOf(track) : unmeasured;
    const hasAbsurdTimes = isTooMuch || packets.hasAbsurdTimes;
    const packetsMs = hasAbsurdTimes ? (packets.packetsMs ?? Infinity) : Infinity;
    return {
      ...packets,
      durationMs: boundedDurationMs(claimedMs, { sizeBytes: file.sizeBytes, packetsMs }),
      hasAbsurdTimes,
    };
  } catch (error) {
    if (error instanceof ReadFailure) throw error;
    return unmeasured;
  }
}
