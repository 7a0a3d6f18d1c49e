import {
  EncodedPacketSink,
  type Input,
  type InputAudioTrack,
  type InputFormat,
  MP4,
  MPEG_TS,
  QTFF,
} from 'mediabunny';
import { foreignContainerOf, signatureBytes } from '#audio/containers/foreign-container.ts';
import { isEndlessMp4 } from '#audio/containers/endless-mp4.ts';
import { isProtectedMp4 } from '#audio/containers/protected-mp4.ts';
import { second } from '#base/duration.ts';
import { boundedDurationMs } from '#base/numbers/untrusted-numbers.ts';
import { maxStatedChannels } from '#contract/channels.ts';
import { limits } from '#contract/limits.ts';
import type { FileFacts, FileFormat, ImportedTrack } from '#workers/import/import-record.ts';
import type { RejectedFile } from '#workers/import/messages.ts';
import { isLikelySound, isLikelySilent } from './likely-sound.ts';
import { isBlank, isText } from './no-sound.ts';
import { containerOf, openMedia } from './open-media.ts';
import { meantText } from './tag-text.ts';
import type { RawTags } from './time/tag-date.ts';
import { timeOfFile } from './time/time-of-file.ts';
import { rawTitleOf } from './raw-title.ts';
import { asTitle, isDoubtful, titleOf } from './title.ts';
import { unreadableByName, unreadableBySignature } from './unreadable-files.ts';

/** A rejected file, and the reason. */
export class FileRejection extends Error {
  readonly rejected: RejectedFile;

  constructor(rejected: RejectedFile) {
    super(rejected.reason);
    this.name = 'FileRejection';
    this.rejected = rejected;
  }
}

/** Limit of time for probing a file, however strange it is: the server will probe it again. */
const probeTimeoutMs = 10 * second;
const unknownFormat: FileFormat = { container: 'other', codec: 'unknown', sampleRateHz: 48_000, channels: 1 };

const bytesOf = async (
  blob: Blob,
  startByte: number,
  endByteExclusive: number,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await blob.slice(startByte, endByteExclusive).arrayBuffer());

/**
 * Why the parser cannot describe a file: it does not know the format, found no complete piece of sound, or misses
 * a table without which this format cannot be read.
 */
type Fault = 'unknown' | 'torn' | 'no-index';

interface ProbeResult {
  format: FileFormat;
  durationMs: number | null;
  isSound: boolean;
  tagTitle?: string | undefined;
  rawTags?: RawTags | undefined;
  tracks?: readonly ImportedTrack[];
}

/**
 * The result of probing a file. `isSound` is true if its content, name or type indicates sound; otherwise the user
 * is asked before it is sent.
 */
export interface ProbedFile {
  facts: FileFacts;
  isSound: boolean;
}

/**
 * Probes a file by its start and its tables, without reading it completely. A file that the parser cannot read is
 * left to the server, which uses ffmpeg.
 * @throws FileRejection if it is certainly not playable
 */
export async function probeFile(file: File): Promise<ProbedFile> {
  if (file.size === 0) throw new FileRejection({ reason: 'empty' });
  if (file.size > limits.import.maxBytes) throw new FileRejection({ reason: 'too-large' });
  const pieces = {
    sizeBytes: file.size,
    read: (startByte: number, endByteExclusive: number) => bytesOf(file, startByte, endByteExclusive),
  };
  const unreadable = unreadableBySignature(await bytesOf(file, 0, signatureBytes));
  if (unreadable !== null) throw new FileRejection(unreadable);
  if (await isProtectedMp4(pieces)) throw new FileRejection({ reason: 'encrypted' });
  const {
    isSound,
    format,
    durationMs,
    tagTitle,
    rawTags,
    tracks = [],
  } = (await isEndlessMp4(pieces)) ? await probeHeader(file, 'no-index') : await probeWithParser(file);
  const { languages } = navigator;
  const isRawWanted = tagTitle !== undefined && isDoubtful(tagTitle, languages);
  const rawTitle = isRawWanted ? await rawTitleOf(pieces) : null;
  const recordedTime = await timeOfFile(pieces, { name: file.name, rawTags, nowMs: Date.now() });
  return {
    isSound,
    facts: {
      format,
      durationMs,
      title: titleOf({ name: file.name, tagTitle, rawTitle }, languages),
      recordedTime,
      ...(tracks.length > 1 && { tracks }),
    },
  };
}

async function probeWithParser(file: File): Promise<ProbeResult> {
  const input = openMedia(file);
  const tooLong = new Promise<null>((resolve) => {
    setTimeout(() => {
      resolve(null);
    }, probeTimeoutMs);
  });
  try {
    const found = await Promise.race([probeContents(input, file.size), tooLong]);
    if (found === null) return { format: unknownFormat, durationMs: null, isSound: true };
    return typeof found === 'string' ? await probeHeader(file, found) : found;
  } catch (error) {
    if (error instanceof FileRejection) throw error;
    return await probeHeader(file, await faultOf(input));
  } finally {
    input.dispose();
  }
}

/** Why the parser failed on a file. */
const faultOf = async (input: Input): Promise<Fault> =>
  (await input.canRead().catch(() => false)) ? tornOf(await input.getFormat()) : 'unknown';

/** The rest of a stream can still be played. An MP4 file that lost its tables cannot, except with special tools. */
const tornOf = (format: InputFormat): Fault => (format === MP4 || format === QTFF ? 'no-index' : 'torn');

/** Classifies a file that the parser cannot read by its first bytes, name and type. */
async function probeHeader(file: File, fault: Fault): Promise<ProbeResult> {
  const head = await bytesOf(file, 0, signatureBytes);
  // Text may start with a signature: "MAC " starts a file of Monkey's Audio, and a list of addresses.
  const foreign = isText(head) ? null : foreignContainerOf(head);
  if (foreign !== null)
    return { format: { ...unknownFormat, container: foreign.container }, durationMs: null, isSound: true };
  const unreadable = unreadableByName(file, head);
  if (unreadable !== null) throw new FileRejection(unreadable);
  if (isText(head) || isLikelySilent(file)) throw new FileRejection({ reason: 'not-audio' });
  return {
    format: unknownFormat,
    durationMs: null,
    isSound: !isBlank(head) && (fault === 'torn' || (fault === 'unknown' && isLikelySound(file))),
  };
}

async function probeContents(input: Input, sizeBytes: number): Promise<ProbeResult | Fault> {
  if (!(await input.canRead())) return 'unknown';
  const format = await input.getFormat();
  const track = await input.getPrimaryAudioTrack();
  if (track === null) {
    // The parser skips streams of a transport stream whose kind it does not know; one of them may be sound.
    if (format !== MPEG_TS && (await input.getTracks()).length > 0)
      throw new FileRejection({ reason: 'no-audio-track' });
    return tornOf(format);
  }
  if ((await new EncodedPacketSink(track).getFirstPacket()) === null) return tornOf(format);
  const { title: tagTitle, raw: rawTags } = await input
    .getMetadataTags()
    .catch(() => ({ title: undefined, raw: undefined }));
  return {
    format: await formatOf(input, track),
    durationMs: await durationOf(track, sizeBytes),
    isSound: true,
    tagTitle,
    rawTags,
    tracks: await tracksOf(input),
  };
}

async function tracksOf(input: Input): Promise<ImportedTrack[]> {
  const tracks = await input.getAudioTracks();
  return Promise.all(
    tracks.slice(0, limits.import.namedTracks).map(async (track) => {
      const [name, code] = await Promise.all([track.getName(), track.getLanguageCode()]);
      return {
        title: asTitle(meantText(name ?? '', navigator.languages) ?? '').slice(
          0,
          limits.import.trackTitleLength,
        ),
        language: code === 'und' ? null : code,
      };
    }),
  );
}

async function formatOf(input: Input, track: InputAudioTrack): Promise<FileFormat> {
  const [format, codec, sampleRateHz, channels] = await Promise.all([
    input.getFormat(),
    track.getCodec(),
    track.getSampleRate(),
    track.getNumberOfChannels(),
  ]);
  return {
    container: containerOf(format),
    codec: codec ?? 'unknown',
    sampleRateHz: Math.min(768_000, Math.max(1000, Math.round(sampleRateHz) || unknownFormat.sampleRateHz)),
    channels: Math.min(maxStatedChannels, Math.max(1, channels || 1)),
  };
}

async function durationOf(track: InputAudioTrack, sizeBytes: number): Promise<number | null> {
  const seconds = await track.getDurationFromMetadata();
  return boundedDurationMs(seconds === null ? null : seconds * second, { sizeBytes });
}
