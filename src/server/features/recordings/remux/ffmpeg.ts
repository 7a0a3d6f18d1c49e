import { pipeline } from 'node:stream/promises';
import { minHoleMs } from '#audio/min-hole.ts';
import { hour, second } from '#base/duration.ts';
import type { FfmpegInput } from '#server/processes/ffmpeg/ffmpeg-input.ts';
import { type SoundChannels, limited, mixedChannels } from '#server/processes/ffmpeg/mixed-channels.ts';
import { floatSamples } from '#server/processes/ffmpeg/float-samples.ts';
import { type HoleReader, placedSound } from '#server/processes/ffmpeg/placed-sound.ts';
import type { SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import { type FfmpegWork, startFfmpeg } from '#server/processes/ffmpeg/start-ffmpeg.ts';

const maxRunMs = 2 * hour;
/** The sound to read: one audio track, counted from 0, or several mixed to this number of channels. */
export type TrackChoice = number | { mixed: readonly number[]; channels: 1 | 2 };
/** The sound to read and how. `latestMs`: see `placedSound`; null keeps the timestamps of the file. */
export interface ChosenTrack {
  input: FfmpegInput;
  track: TrackChoice;
  latestMs: number | null;
  /** The tracks of the file, whose channels are mixed to those that are played; omitted if they are unknown. */
  tracks?: readonly TrackChannels[];
  /** By how much floating-point samples become quieter; default: 0. */
  quieterDb?: number;
}
/** How many channels a track has, for which loudspeakers, and the format of its samples. */
type TrackChannels = SoundChannels & Pick<SoundTrack, 'position' | 'depth'>;
/** How a rendition is encoded, and its limits. At a limit the file ends, well formed. */
export interface OpusOptions {
  bitrateBps: number;
  maxMs: number;
  maxBytes: number;
}

const opusArguments = ({ bitrateBps, maxMs, maxBytes }: OpusOptions): string[] => [
  '-c:a',
  'libopus',
  '-b:a',
  String(bitrateBps),
  '-page_duration',
  '200000',
  '-t',
  String(maxMs / second),
  '-fs',
  String(maxBytes),
  '-f',
  'ogg',
];

const opusRateHz = 48_000;

const trackAt = (tracks: ChosenTrack['tracks'], track: number): TrackChannels | undefined =>
  tracks?.find(({ position }) => position === track);

/** The filter that mixes the channels of a track; null if they are played as they are. */
function channelFilter(tracks: ChosenTrack['tracks'], track: number): string | null {
  const found = trackAt(tracks, track);
  return found === undefined ? null : mixedChannels(found).filter;
}

/** The filter before all others; null if a track needs none. */
function firstFilter(tracks: ChosenTrack['tracks'], track: number, quieterDb?: number): string | null {
  const found = trackAt(tracks, track);
  return found === undefined ? null : floatSamples(found, quieterDb);
}

/**
 * Pads each track with silence up to its start so that all stay aligned. The mix is limited to below full scale
 * and otherwise unchanged.
 */
function mixOf(
  { mixed, channels }: Exclude<TrackChoice, number>,
  { tracks, latestMs, sampleRateHz }: Pick<ChosenTrack, 'tracks' | 'latestMs'> & { sampleRateHz: number },
): string {
  const layout = channels === 1 ? 'mono' : 'stereo';
  const each = mixed.map((track) => {
    const [first, filter] = [firstFilter(tracks, track), channelFilter(tracks, track)].map((each) =>
      each === null ? '' : `${each},`,
    );
    return `[0:a:${track}]${first}aresample=${sampleRateHz}:async=1:min_hard_comp=${minHoleMs / second}:first_pts=0,${filter}aformat=sample_fmts=flt:channel_layouts=${layout}[t${track}]`;
  });
  const sum = `${mixed.map((track) => `[t${track}]`).join('')}amix=inputs=${mixed.length}:duration=longest:normalize=0,${limited}`;
  return [
    ...each,
    `${sum}${latestMs === null ? '' : `,${placedSound({ latestMs, sampleRateHz })}`}[sound]`,
  ].join(';');
}

/**
 * The arguments that select the sound.
 * @param options.keepsChannels whether a single track has all its channels, for a reader of each of them
 */
function soundOf(
  { track, tracks, latestMs, quieterDb }: Omit<ChosenTrack, 'input'>,
  {
    sampleRateHz,
    keepsChannels,
    reportsHoles = false,
  }: { sampleRateHz: number; keepsChannels: boolean; reportsHoles?: boolean },
): string[] {
  if (typeof track !== 'number')
    return [
      '-filter_complex',
      mixOf(track, { latestMs, sampleRateHz, ...(tracks === undefined ? {} : { tracks }) }),
      '-map',
      '[sound]',
    ];
  const filters = [
    firstFilter(tracks, track, quieterDb),
    latestMs === null ? null : placedSound({ latestMs, sampleRateHz, reportsHoles }),
    keepsChannels ? null : channelFilter(tracks, track),
  ].filter((filter) => filter !== null);
  return [
    '-map',
    `0:a:${track}`,
    ...(latestMs === null ? ['-ar', String(sampleRateHz)] : []),
    ...(filters.length === 0 ? [] : ['-af', filters.join(',')]),
  ];
}

interface Taking {
  store: (bytes: Uint8Array) => Promise<void>;
  signal: AbortSignal;
}

/** Transcodes sound of any codec to Ogg/Opus. Outputs the decodable part of a truncated file, possibly nothing. */
export const transcodeToOgg = (
  program: string,
  { input, bitrateBps, maxMs, maxBytes, ...chosen }: ChosenTrack & OpusOptions,
  taking: Taking,
): Promise<void> =>
  runFfmpeg(
    program,
    {
      input,
      output: [
        ...soundOf(chosen, { sampleRateHz: opusRateHz, keepsChannels: false }),
        ...opusArguments({ bitrateBps, maxMs, maxBytes }),
      ],
    },
    taking,
  );

/**
 * Decodes sound of any codec to interleaved 32-bit float samples, little-endian.
 * @param channels the channels of the sound; ffmpeg mixes to any other number
 * @param holes reads the holes of a single track that has times
 */
export const decodeToPcm = (
  program: string,
  {
    input,
    sampleRateHz,
    channels,
    maxMs,
    holes,
    ...chosen
  }: ChosenTrack & { sampleRateHz: number; channels: number; maxMs: number; holes?: HoleReader },
  taking: Taking,
): Promise<void> =>
  runFfmpeg(
    program,
    {
      input,
      output: [
        ...soundOf(chosen, { sampleRateHz, keepsChannels: true, reportsHoles: holes !== undefined }),
        '-c:a',
        'pcm_f32le',
        '-ac',
        String(channels),
        '-t',
        String(maxMs / second),
        '-f',
        'f32le',
      ],
      ...(holes === undefined
        ? {}
        : {
            onLog: (text: string) => {
              holes.push(text);
            },
          }),
    },
    taking,
  );

/** ffmpeg's exit code after it was told to stop. Its output is then well formed but incomplete. */
const stopRequested = 255;
/** ffmpeg crashed because of the file's contents, and would again. */
const crashes: readonly NodeJS.Signals[] = ['SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGABRT', 'SIGXCPU'];

/** Whether something else ended ffmpeg. Its output is then incomplete, and a retry gives all of it. */
const wasStopped = (code: number | null, signal: NodeJS.Signals | null): boolean =>
  code === stopRequested || (signal !== null && !crashes.includes(signal));

/**
 * Runs ffmpeg on the chosen sound for at most two hours; aborting kills it. Its output is stored in pieces.
 * Rejects if ffmpeg was stopped or its input can't be read, never because of the file's contents.
 */
async function runFfmpeg(
  program: string,
  { output, ...work }: Pick<FfmpegWork, 'input' | 'output' | 'onLog'>,
  { store, signal }: Taking,
): Promise<void> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(maxRunMs)]);
  const running = startFfmpeg(program, { ...work, output: ['-map_metadata', '-1', ...output] }, limits);
  running.progress.resume();
  const stored = pipeline(running.stdout, async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) await store(piece);
  });
  try {
    // All output counts, however much of a damaged file ffmpeg did not read.
    const [, { code, by }] = await Promise.all([stored, running.ended]);
    if (wasStopped(code, by)) throw new Error(`ffmpeg was stopped (${by ?? code})`);
    const failure = running.inputError();
    if (failure !== null) throw failure;
  } finally {
    running.kill();
  }
  limits.throwIfAborted();
}
