import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { minute } from '#base/duration.ts';
import { bareEnvironment, isRunnable, limitedCommand } from '#server/processes/limited-command.ts';
import { type FfmpegInput, inputArguments } from './ffmpeg-input.ts';
import { ffmpegLimits, soundInput } from './ffmpeg-limits.ts';

/** The format of one stored sample. Lossy codecs have no bit depth; 16 bits are enough for their audio. */
export type SampleDepth = 's16' | 's24' | 's32' | 'f32';

/** One audio track in a file, as ffmpeg reports it. */
export interface SoundTrack {
  /** Its index among the file's audio tracks, from 0, as ffmpeg counts them. */
  position: number;
  /** ffmpeg's name for the codec. */
  codec: string;
  sampleRateHz: number;
  channels: number;
  /** ffmpeg's name for the loudspeakers that the file states for its channels; null if it states none. */
  layout: string | null;
  depth: SampleDepth;
  isDefault: boolean;
  /** As named in the file; empty if unnamed. */
  language: string;
  title: string;
}

interface ProbedStream {
  codec_name?: string;
  sample_fmt?: string;
  sample_rate?: string;
  channels?: number;
  channel_layout?: string;
  bits_per_sample?: number;
  bits_per_raw_sample?: string;
  disposition?: { default?: number };
  tags?: { language?: string; title?: string; handler_name?: string };
}

const losslessCodecs =
  /^(?:pcm_|flac$|alac$|wavpack$|tta$|ape$|tak$|als$|mlp$|truehd$|shorten$|wmalossless$|ralf$)/;

/** Returns the bits per sample, as reported by the codec, else the container, else the decoder. */
const bitsOf = (stream: ProbedStream): number =>
  Number(stream.bits_per_raw_sample ?? 0) ||
  (stream.bits_per_sample ?? 0) ||
  (stream.sample_fmt?.startsWith('s32') ? 32 : 16);

function depthOf(stream: ProbedStream): SampleDepth {
  if (!losslessCodecs.test(stream.codec_name ?? '')) return 's16';
  if (/^(?:flt|dbl)/.test(stream.sample_fmt ?? '')) return 'f32';
  const bits = bitsOf(stream);
  if (bits <= 16) return 's16';
  return bits <= 24 ? 's24' : 's32';
}

/** Codecs whose files have a number of channels, from which ffmpeg concludes the loudspeakers. */
const countedCodecs: ReadonlySet<string> = new Set(['flac', 'alac']);

function layoutOf({
  codec_name: codec = '',
  channel_layout: layout = 'unknown',
}: ProbedStream): string | null {
  return layout === 'unknown' || countedCodecs.has(codec) ? null : layout;
}

/** Returns a track's title. The default handler names of common programs are not titles. */
const titleOf = ({ title, handler_name: handler = '' }: NonNullable<ProbedStream['tags']>): string =>
  title ?? (/sound ?handler|sound media|^core media|^$/i.test(handler) ? '' : handler);

function trackOf(stream: ProbedStream, position: number): SoundTrack {
  const { language = '', ...tags } = stream.tags ?? {};
  return {
    position,
    codec: stream.codec_name ?? 'unknown',
    sampleRateHz: Number(stream.sample_rate ?? 0),
    channels: stream.channels ?? 0,
    layout: layoutOf(stream),
    depth: depthOf(stream),
    isDefault: stream.disposition?.default === 1,
    language: language === 'und' ? '' : language,
    title: titleOf(tags).trim(),
  };
}

const isSound = ({ sampleRateHz, channels }: SoundTrack): boolean => sampleRateHz > 0 && channels > 0;

const probeArguments = [
  '-select_streams',
  'a',
  '-show_entries',
  'stream=codec_name,sample_fmt,sample_rate,channels,channel_layout,bits_per_sample,bits_per_raw_sample:stream_disposition=default:stream_tags=language,title,handler_name',
  '-of',
  'json',
];
const maxOutputBytes = 1024 ** 2;
/** The first second of all tracks, including their headers. */
const soundAlone = ['-map', '0:a', '-c', 'copy', '-t', '1', '-fs', '1000000'];
/** Together they support every codec; Matroska describes the ones it supports better. */
const soundContainers = ['matroska', 'nut'] as const;
const maxSoundBytes = 16 * 1024 ** 2;

interface ProbeRequest {
  program: string;
  args: readonly string[];
  stdin?: Buffer;
  maxBytes: number;
  signal: AbortSignal;
}

/** Returns a program's output under the limits of ffmpeg, or null if it fails. */
async function outputOf({ program, args, stdin, maxBytes, signal }: ProbeRequest): Promise<Buffer | null> {
  const limited = limitedCommand(program, args, { ...ffmpegLimits, cpuMs: minute });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
  const child = execFile(
    limited.program,
    limited.args,
    {
      env: bareEnvironment(),
      signal,
      killSignal: 'SIGKILL',
      timeout: minute,
      maxBuffer: maxBytes,
      encoding: 'buffer',
    },
    (error, stdout) => {
      if (signal.aborted && error !== null) reject(error);
      else resolve(error === null ? stdout : null);
    },
  );
  // The program may have enough before it has read everything.
  child.stdin?.once('error', () => undefined);
  child.stdin?.end(stdin);
  return promise;
}

/**
 * Probes a file. ffprobe opens a decoder for every stream and fails if one is not allowed, such as that of a video
 * or a cover. In that case it probes only the audio, which ffmpeg copies out of the file.
 */
async function runFfprobe(
  ffmpeg: string,
  ffprobe: string,
  { input, signal }: { input: FfmpegInput & { kind: 'file' }; signal: AbortSignal },
): Promise<Buffer | null> {
  const answer = await outputOf({
    program: ffprobe,
    args: ['-v', 'error', ...inputArguments(input), ...probeArguments],
    maxBytes: maxOutputBytes,
    signal,
  });
  if (answer !== null) return answer;
  for (const container of soundContainers) {
    const sound = await outputOf({
      program: ffmpeg,
      args: [
        '-hide_banner',
        '-nostdin',
        '-loglevel',
        'error',
        ...inputArguments(input),
        ...soundAlone,
        '-f',
        container,
        'pipe:1',
      ],
      maxBytes: maxSoundBytes,
      signal,
    });
    if (sound !== null && sound.length > 0)
      return outputOf({
        program: ffprobe,
        args: ['-v', 'error', ...soundInput('pipe,fd'), '-f', container, '-i', 'pipe:0', ...probeArguments],
        stdin: sound,
        maxBytes: maxOutputBytes,
        signal,
      });
  }
  return null;
}

/**
 * Lists the audio tracks of a file with ffprobe, which is installed next to ffmpeg, under the same limits as
 * ffmpeg. Returns null if there is no ffprobe or it finds nothing it may read.
 */
export async function probeSound(
  ffmpeg: string,
  input: FfmpegInput & { kind: 'file' },
  signal: AbortSignal,
): Promise<SoundTrack[] | null> {
  const ffprobe = join(dirname(ffmpeg), 'ffprobe');
  if (!isRunnable(ffprobe)) return null;
  const answer = await runFfprobe(ffmpeg, ffprobe, { input, signal });
  if (answer === null) return null;
  const { streams = [] }: { streams?: ProbedStream[] } = JSON.parse(answer.toString());
  return streams.map(trackOf).filter(isSound);
}
