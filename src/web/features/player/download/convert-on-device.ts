import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  canEncodeAudio,
  Conversion,
  FlacOutputFormat,
  Input,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  StreamTarget,
  UrlSource,
  WavOutputFormat,
  type AudioCodec,
  type OutputFormat,
} from 'mediabunny';
import { movingSource } from '#audio/containers/moving-source.ts';
import { second } from '#base/duration.ts';
import { decodingOf, withRiskNoted } from '#device/risks/risk-notes.ts';
import type { SoundSelection } from '#playback/playback-state.ts';
import { containerOf } from '#workers/import/probe/open-media.ts';
import { convertedFormats, type ConversionTarget } from './download-links.ts';

export interface ConversionOptions {
  format: ConversionTarget;
  part: SoundSelection | null;
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (progress: number) => void;
}

interface Encoder {
  codec: AudioCodec;
  bitrate?: number;
  output: () => OutputFormat;
  mediaType: string;
}

const encoders: Record<ConversionTarget, Encoder> = {
  mp3: { codec: 'mp3', bitrate: 128_000, output: () => new Mp3OutputFormat(), mediaType: 'audio/mpeg' },
  m4a: { codec: 'aac', bitrate: 128_000, output: () => new Mp4OutputFormat(), mediaType: 'audio/mp4' },
  opus: { codec: 'opus', bitrate: 96_000, output: () => new OggOutputFormat(), mediaType: 'audio/ogg' },
  flac: { codec: 'flac', output: () => new FlacOutputFormat(), mediaType: 'audio/flac' },
  wav: { codec: 'pcm-s16', output: () => new WavOutputFormat(), mediaType: 'audio/wav' },
};

/**
 * The formats that this browser encodes natively. The page's content security policy blocks encoders that need
 * their own workers.
 */
export async function deviceFormats(): Promise<ConversionTarget[]> {
  const known = await Promise.all(
    convertedFormats.map(async (format) => await canEncodeAudio(encoders[format].codec)),
  );
  return convertedFormats.filter((_format, index) => known[index]);
}

/** A single scratch file is enough: the next conversion overwrites it. */
const scratchName = 'converted';

/**
 * Opens a scratch file in the origin private file system, so that memory use does not grow with the recording.
 * Null if the browser does not support it.
 */
async function openScratch(): Promise<{
  writable: FileSystemWritableFileStream;
  file: () => Promise<File>;
} | null> {
  try {
    const handle = await (
      await navigator.storage.getDirectory()
    ).getFileHandle(scratchName, { create: true });
    return { writable: await handle.createWritable(), file: () => handle.getFile() };
  } catch {
    return null;
  }
}

/**
 * Converts a file, or a URL that is read in ranges, to another format, whole or in part.
 * @throws Error if this browser can't convert it or `signal` is aborted
 */
export async function convertOnDevice(
  sound: Blob | string,
  { format, part, signal, onProgress }: ConversionOptions,
): Promise<Blob> {
  const { codec, bitrate, output: outputFormat, mediaType } = encoders[format];
  const input = new Input({
    source: movingSource(typeof sound === 'string' ? new UrlSource(sound) : new BlobSource(sound)),
    formats: ALL_FORMATS,
  });
  const scratch = await openScratch();
  const memory = new BufferTarget();
  const output = new Output({
    format: outputFormat(),
    target: scratch === null ? memory : new StreamTarget(scratch.writable, { chunked: true }),
  });
  const conversion = await Conversion.init({
    input,
    output,
    video: { discard: true },
    audio: { codec, forceTranscode: true, ...(bitrate === undefined ? {} : { bitrate }) },
    showWarnings: false,
    ...(part === null ? {} : { trim: { start: part.fromMs / second, end: part.toMs / second } }),
  });
  if (!conversion.isValid) throw new Error('no track can be converted in this browser');
  conversion.onProgress = onProgress;
  const stop = (): void => {
    conversion.cancel().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    // Decoding can end the page, as WebKitGTK's does for some formats.
    const codecIn = (await (await input.getPrimaryAudioTrack())?.getCodec()) ?? 'unknown';
    const kind = decodingOf({ container: containerOf(await input.getFormat()), codec: codecIn });
    const isDone = await withRiskNoted(kind, async () => {
      await conversion.execute();
      return true;
    });
    if (isDone === null) throw new Error('a page of this browser died of decoding this format');
  } finally {
    signal.removeEventListener('abort', stop);
    input.dispose();
  }
  return scratch === null
    ? new Blob([memory.buffer ?? new ArrayBuffer(0)], { type: mediaType })
    : (await scratch.file()).slice(0, undefined, mediaType);
}
