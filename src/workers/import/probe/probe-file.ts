import { EncodedPacketSink, type Input, type InputAudioTrack } from 'mediabunny';
import { foreignContainerOf, signatureBytes } from '#audio/containers/foreign-container.ts';
import { isEndlessMp4 } from '#audio/containers/endless-mp4.ts';
import { isProtectedMp4 } from '#audio/containers/protected-mp4.ts';
import { second } from '#base/duration.ts';
import { boundedDurationMs } from '#base/numbers/untrusted-numbers.ts';
import { limits } from '#contract/limits.ts';
import type { FileFacts, FileFormat } from '../import-record.ts';
import type { RefusalReason } from '../messages.ts';
import { looksLikeSound } from './looks-like-sound.ts';
import { containerOf, openMedia } from './open-media.ts';
import { recordedAtMs } from './recorded-at.ts';
import { titleAndTime } from './title-and-time.ts';

/** A file that is not taken, and why. */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason);
    this.name = 'Refusal';
    this.reason = reason;
  }
}

/** However strange a file is, looking at it takes no longer: the server will look again. */
const longestLookMs = 10 * second;
const unknownFormat: FileFormat = { container: 'other', codec: 'unknown', sampleRateHz: 48_000, channels: 1 };

const bytesOf = async (blob: Blob, startByte: number, endByteExclusive: number): Promise<Uint8Array> => new Uint8Array(await blob.slice(startByte, endByteExclusive).arrayBuffer());

interface Looked { format: FileFormat; durationMs: number | null; tagTitle?: string | undefined; tagDate?: Date | undefined }

/**
 * Says what a file is, from its beginning and its tables, without reading it whole.
 * @throws Refusal where it is no sound that anybody could play
 */
export async function probeFile(file: File): Promise<FileFacts> {
  if (file.size === 0) throw new Refusal('empty');
  if (file.size > limits.import.largestBytes) throw new Refusal('too-large');
  const pieces = { sizeBytes: file.size, read: (startByte: number, endByteExclusive: number) => bytesOf(file, startByte, endByteExclusive) };
  if (await isProtectedMp4(pieces)) throw new Refusal('encrypted');
  if (await isEndlessMp4(pieces)) throw new Refusal('damaged');
  const { format, durationMs, tagTitle, tagDate } = await look(file);
  const news = { name: file.name, lastModifiedMs: file.lastModified, tagTitle, tagDate, recordedAtMs: await recordedAtMs(pieces) };
  return { format, durationMs, ...titleAndTime(news, { nowMs: Date.now(), languages: navigator.languages }) };
}

async function look(file: File): Promise<Looked> {
  const input = openMedia(file);
  const tooLong = new Promise<null>((resolve) => { setTimeout(() => { resolve(null); }, longestLookMs); });
  try {
    const found = await Promise.race([lookInside(input, file.size), tooLong]);
    if (found !== 'unknown') return found ?? { format: unknownFormat, durationMs: null };
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal('damaged');
    // What the reader here stumbles over, or finds nothing in, the server may know.
    const foreign = refusal.reason === 'damaged' ? await foreignOf(file) : null;
    if (foreign === null) throw refusal;
    return foreign;
  } finally {
    input.dispose();
  }
  const foreign = await foreignOf(file);
  if (foreign === null) throw new Refusal(looksLikeSound(file) ? 'damaged' : 'not-audio');
  return foreign;
}

/** What the first bytes say of a file that the browser cannot read; null where they say nothing. */
async function foreignOf(file: File): Promise<Looked | null> {
  const foreign = foreignContainerOf(await bytesOf(file, 0, signatureBytes));
  return foreign && { format: { ...unknownFormat, container: foreign.container }, durationMs: null };
}

async function lookInside(input: Input, sizeBytes: number): Promise<Looked | 'unknown'> {
  if (!(await input.canRead())) return 'unknown';
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Refusal((await input.getTracks()).length > 0 ? 'no-audio-track' : 'damaged');
  if ((await new EncodedPacketSink(track).getFirstPacket()) === null) throw new Refusal('damaged');
  const { title: tagTitle, date: tagDate } = await input.getMetadataTags().catch(() => ({ title: undefined, date: undefined }));
  return { format: await formatOf(input, track), durationMs: await durationOf(track, sizeBytes), tagTitle, tagDate };
}

async function formatOf(input: Input, track: InputAudioTrack): Promise<FileFormat> {
  const [format, codec, sampleRateHz, channels] = await Promise.all([input.getFormat(), track.getCodec(), track.getSampleRate(), track.getNumberOfChannels()]);
  return {
    container: containerOf(format),
    codec: codec ?? 'unknown',
    sampleRateHz: Math.min(768_000, Math.max(1000, Math.round(sampleRateHz) || unknownFormat.sampleRateHz)),
    channels: Math.min(8, Math.max(1, channels || 1)),
  };
}

async function durationOf(track: InputAudioTrack, sizeBytes: number): Promise<number | null> {
  const seconds = await track.getDurationFromMetadata();
  return boundedDurationMs(seconds === null ? null : seconds * second, { sizeBytes });
}
