import type { PointSource } from '#audio/peaks/peaks-pyramid.ts';
import type { Obstacle } from '#audio/containers/stated/stated-facts.ts';
import { second } from '#base/duration.ts';
import { maxSilenceMs, maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { isPlayable } from '#contract/formats.ts';
import { limits } from '#contract/limits.ts';
import { mixedChannels } from '#server/processes/ffmpeg/mixed-channels.ts';
import { dbAboveFullScale, isFloat } from '#server/processes/ffmpeg/float-samples.ts';
import { type Hole, HoleReader } from '#server/processes/ffmpeg/placed-sound.ts';
import { probeSound, type SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { Measured, Probed } from './probe-file.ts';
import { withStoredFile } from '#server/features/recordings/media/ffmpeg-input-of.ts';
import type { UnfinishedPeaks } from '#server/features/recordings/remux/made-peaks.ts';
import type { TrackChoice } from '#server/features/recordings/remux/ffmpeg.ts';
import { type MeasuredSound, measureSound } from './measure-sound.ts';
import { peaksInMemory } from './peaks-in-memory.ts';

/** The version of these rules. Imports judged by an older version are judged again. */
export const judgementVersion = 5;
/** Since this version the rules have only read more files: what they could read before needs no other judgement. */
export const judgementVersionOfReadable = 5;

/**
 * How much the durations reported by different readers of a file may differ: they are rounded to packets, and
 * decoders either remove the encoder delay or don't.
 */
export const agreementMs = 100;

/** Why an import is not played as it is: something its headers state, or something found by reading all of it. */
export type Reason =
  | Obstacle
  | 'codec'
  | 'too-long-for-ogg'
  | 'pictures'
  | 'several-tracks'
  | 'several-channels'
  | 'above-full-scale'
  | 'lengths-differ'
  | 'absurd-times'
  | 'hole';

/** The result of reading an imported file completely. */
export interface Judgement {
  /** The audio tracks in file order; empty if they can't be listed. */
  tracks: readonly SoundTrack[];
  /** The tracks that are played. */
  played: TrackChoice;
  /** The duration decoded by ffmpeg; 0 if it can't decode anything. */
  durationMs: number;
  /** Why the file is not played as it is; empty if it is. */
  reasons: Reason[];
  /** The channels of the played track. */
  channels: number;
  /** The channels that are played if the sound is mixed. */
  mixedTo: 1 | 2;
  /** The names that the file states for its channels, in their order; empty if it states none. */
  channelNames: readonly string[];
  /** By how much the sound is louder than full scale, and becomes quieter, in whole dB. */
  quieterDb: number;
  /** The waveform of what is played; without points if it is unknown or too long to be compared. */
  waveform: PointSource;
  /** Later timestamps are not trusted. */
  latestMs: number;
  /** The holes in the timestamps, which become silence; only the sudden ones are gaps of the recording. */
  holes: readonly Hole[];
}

export interface FileToClassify {
  file: StoredSegment;
  /** The result of our own parser; null if it does not support the file. */
  sound: Extract<Probed, { kind: 'sound' }> | null;
  measured: Measured;
  /** ffmpeg's name for the container, if known. */
  demuxer?: string;
  /** The position of the track that the user chose, or null. */
  track: number | null;
  /** Receives the peaks of what is played. */
  peaks: Pick<UnfinishedPeaks, 'append' | 'restart'>;
  signal: AbortSignal;
}

/** The most tracks decoded together. A file with more is not a recording by several microphones. */
const maxMixed = 16;
/** So much of a track tells whether it can be decoded. */
const triedMs = 10 * second;

/**
 * Chooses what is played: the track that the user chose; otherwise all tracks together if each may be a
 * microphone; or the default track if they are the same sound in several languages.
 */
function choiceOf(tracks: readonly SoundTrack[], chosen: number | null, listed: number): TrackChoice {
  const byUser = tracks.find(({ position }) => position === chosen);
  const main = (byUser ?? tracks.find(({ isDefault }) => isDefault) ?? tracks[0])?.position ?? 0;
  // A track without a language is not a translation.
  const languages = new Set(tracks.map(({ language }) => language).filter((language) => language !== ''));
  if (byUser !== undefined || tracks.length < 2 || listed > maxMixed || languages.size > 1) return main;
  return {
    mixed: tracks.map(({ position }) => position),
    channels: tracks.every((track) => mixedChannels(track).channels === 1) ? 1 : 2,
  };
}

/**
 * The tracks whose codec ffmpeg knows; all of them if it knows none. Current iPhones record a second track in a codec of
 * Apple's own beside AAC.
 */
function knownTracks(tracks: readonly SoundTrack[]): readonly SoundTrack[] {
  const known = tracks.filter(({ codec }) => codec !== 'unknown');
  return known.length > 0 ? known : tracks;
}

const differ = (aMs: number, bMs: number): boolean => Math.abs(aMs - bMs) > agreementMs;

type Sound = NonNullable<FileToClassify['sound']>;

/** All durations that a player could show. */
function lengthsOf({ format, stated }: Sound, { durationMs }: Measured): number[] {
  // Our parser counts the padding that an MP3 encoder added. The stated lengths already account for it.
  return durationMs === null || format.container === 'mp3'
    ? stated.lengthsMs
    : [...stated.lengthsMs, durationMs];
}

const isTooLong = ({ format }: Sound, durationMs: number): boolean =>
  format.container === 'ogg' && durationMs > limits.audioSectionMs;

/** Why a sound that our own parser supports is not played as it is. */
function reasonsOf(
  { sound, measured }: FileToClassify,
  {
    tracks,
    channels,
    durationMs,
    holes,
    quieterDb,
    hasAbsurdTimes,
  }: Heard & Pick<Judgement, 'tracks' | 'channels'>,
): Reason[] {
  const times = [
    ...(measured.hasAbsurdTimes || hasAbsurdTimes ? ['absurd-times' as const] : []),
    ...(holes.length > 0 ? ['hole' as const] : []),
  ];
  if (sound === null) return ['codec', ...times];
  return [
    ...times,
    ...(isPlayable(sound.format) ? [] : ['codec' as const]),
    ...(sound.hasPictures ? ['pictures' as const] : []),
    ...(tracks.length > 1 ? ['several-tracks' as const] : []),
    ...(channels > 2 ? ['several-channels' as const] : []),
    ...(quieterDb > 0 ? ['above-full-scale' as const] : []),
    ...(isTooLong(sound, durationMs) ? ['too-long-for-ogg' as const] : []),
    ...(lengthsOf(sound, measured).some((lengthMs) => differ(lengthMs, durationMs))
      ? ['lengths-differ' as const]
      : []),
    ...sound.stated.obstacles,
  ];
}

type Chosen = Pick<Judgement, 'played' | 'channels' | 'mixedTo'>;
type Choice = Pick<Chosen, 'played' | 'channels'>;

/** What decoding a choice gave. `hasAbsurdTimes`: its times asked for more silence than a file may. */
type Heard = Pick<Judgement, 'durationMs' | 'holes' | 'latestMs' | 'quieterDb'> & { hasAbsurdTimes: boolean };

type Decode = (
  choice: Choice,
  options: { maxMs?: number; latestMs: number; holes?: HoleReader; quieterDb?: number },
) => Promise<MeasuredSound>;

/**
 * Decodes what is played. Floating-point samples louder than full scale are decoded again, quieter, so that nothing is
 * cut off.
 */
async function hear(
  { played, channels }: Choice,
  { latestMs, tracks }: { latestMs: number; tracks: readonly SoundTrack[] },
  decode: Decode,
): Promise<Heard> {
  const choice = { played, channels };
  const heard = await hearAt(choice, { latestMs, quieterDb: 0 }, decode);
  const track = tracks.find(({ position }) => position === played);
  const quieterDb = track !== undefined && isFloat(track) ? dbAboveFullScale(heard.peak) : 0;
  return quieterDb === 0 ? heard : hearAt(choice, { latestMs: heard.latestMs, quieterDb }, decode);
}

/**
 * Decodes what is played, with silence in its holes. If the times ask for more silence than a file may, they are not
 * trusted, and the sound is one piece.
 */
async function hearAt(
  choice: Choice,
  { latestMs, quieterDb }: { latestMs: number; quieterDb: number },
  decode: Decode,
): Promise<Heard & { peak: number }> {
  const reader = new HoleReader();
  const { durationMs, peak } = await decode(choice, { latestMs, quieterDb, holes: reader });
  if (reader.totalMs > maxSilenceMs(Math.max(0, durationMs - reader.totalMs)))
    return {
      ...(await decode(choice, { latestMs: 0, quieterDb })),
      holes: [],
      latestMs: 0,
      quieterDb,
      hasAbsurdTimes: true,
    };
  // At the end of a file ffmpeg may state a time with nothing behind it.
  const holes = reader.holes.filter(({ toMs }) => toMs < durationMs);
  return { durationMs, peak, holes, latestMs, quieterDb, hasAbsurdTimes: false };
}

/** The tracks that may be played and can be decoded; at most those that may be mixed, the default and the chosen one. */
async function decodableTracks(
  tracks: readonly SoundTrack[],
  chosen: number | null,
  decode: Decode,
): Promise<readonly SoundTrack[]> {
  const known = knownTracks(tracks);
  if (known.length < 2) return known;
  const decodable: SoundTrack[] = [];
  for (const [index, track] of known.entries()) {
    const { position, channels, isDefault } = track;
    if (index >= maxMixed && !isDefault && position !== chosen) continue;
    const { durationMs } = await decode({ played: position, channels }, { maxMs: triedMs, latestMs: 0 });
    if (durationMs > 0) decodable.push(track);
  }
  return decodable.length > 0 ? decodable : known;
}

/**
 * Chooses what is played. A track that can't be decoded is left out, so that it neither silences the others nor
 * is said to be played.
 */
async function chosenOf(
  tracks: readonly SoundTrack[],
  { track, sound }: Pick<FileToClassify, 'track' | 'sound'>,
  decode: Decode,
): Promise<Chosen> {
  const decodable = await decodableTracks(tracks, track, decode);
  const played = choiceOf(decodable, track, tracks.length);
  if (typeof played !== 'number') return { played, channels: played.channels, mixedTo: played.channels };
  const found = tracks.find(({ position }) => position === played);
  const channels = found?.channels ?? sound?.format.channels ?? 2;
  return { played, channels, mixedTo: mixedChannels(found ?? { channels, layout: null }).channels };
}

/**
 * Judges an imported file by its contents: lists its tracks, decodes what is played of them completely, and compares
 * the duration with every duration that a player could show. Makes the peaks at the same time.
 */
export async function classifyFile(
  { blobs, program }: { blobs: BlobStore; program: string },
  task: FileToClassify,
): Promise<Judgement> {
  const { file, measured, demuxer, signal, peaks } = task;
  const fileMaxMs = maxSoundMsOf(file.sizeBytes);
  const latestMs = measured.hasAbsurdTimes ? 0 : (measured.durationMs ?? fileMaxMs);
  return withStoredFile(
    blobs,
    { blobKey: file.blobKey, ...(demuxer === undefined ? {} : { demuxer }) },
    async (input) => {
      let waveform = peaksInMemory();
      const tracks = input.kind === 'file' ? ((await probeSound(program, input, signal)) ?? []) : [];
      const decode: Decode = async (choice, { maxMs, ...times }) => {
        // The sound may be decoded a second time.
        if (maxMs === undefined) {
          waveform = peaksInMemory();
          await peaks.restart();
        }
        return measureSound(program, {
          input,
          track: choice.played,
          tracks,
          channels: choice.channels,
          ...times,
          maxMs: maxMs ?? fileMaxMs,
          signal,
          storePeaks: async (bytes) => {
            if (maxMs !== undefined) return;
            waveform.add(bytes);
            await peaks.append(bytes);
          },
        });
      };
      const chosen = await chosenOf(tracks, task, decode);
      const heard = await hear(chosen, { latestMs, tracks }, decode);
      return {
        tracks,
        ...chosen,
        waveform: waveform.source(),
        durationMs: heard.durationMs,
        latestMs: heard.latestMs,
        holes: heard.holes,
        quieterDb: heard.quieterDb,
        channelNames: task.sound?.stated.channelNames ?? [],
        reasons: reasonsOf(task, { tracks, channels: chosen.channels, ...heard }),
      };
    },
  );
}
