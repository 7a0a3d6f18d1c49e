import type { Obstacle } from '#audio/containers/stated/stated-facts.ts';
import { mostSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { isPlayable } from '#contract/formats.ts';
import { limits } from '#contract/limits.ts';
import { probeSound, type SoundTrack } from '#server/processes/ffmpeg/probe-sound.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { Measured, Probed } from './probe-file.ts';
import { withStoredFile } from '#server/features/recordings/media/ffmpeg-input-of.ts';
import type { TrackChoice } from '#server/features/recordings/remux/ffmpeg.ts';
import { measureSound } from './measure-sound.ts';

/** By these rules files are judged; imports that were judged by older ones are judged again. */
export const judgementVersion = 1;

/**
 * By how much readers of one file may differ: lengths are rounded to packets, and decoders leave the delay of
 * an encoder in or take it out.
 */
export const agreementMs = 100;

/** Why an import is not played as it is: what its file states, or what only the whole of it shows. */
type Reason =
  | Obstacle
  | 'codec'
  | 'too-long-for-ogg'
  | 'pictures'
  | 'several-tracks'
  | 'lengths-differ'
  | 'absurd-times';

/** What is known of an imported file once all of it was read. */
export interface Judgement {
  /** Its tracks of sound, in the order of the file; empty where nobody can name them. */
  tracks: readonly SoundTrack[];
  /** Which of them are played. */
  played: TrackChoice;
  /** How long ffmpeg decodes it; 0 where it decodes nothing. */
  durationMs: number;
  /** Why it is not played as it is; empty where it is. */
  reasons: Reason[];
  /** Of that track. */
  channels: number;
  /** No timestamp is believed that is later. */
  latestMs: number;
}

export interface FileToJudge {
  file: StoredSegment;
  /** What our own parser found; null where it does not know the file. */
  sound: Extract<Probed, { kind: 'sound' }> | null;
  measured: Measured;
  /** ffmpeg's name for the container, where it is known. */
  demuxer?: string;
  /** The position of the track that the user chose; null where nobody chose. */
  track: number | null;
  storePeaks: (bytes: Uint8Array) => Promise<void>;
  signal: AbortSignal;
}

/** No more are decoded side by side; a file with more of them is no recording of several microphones. */
const mostMixed = 16;

/**
 * What is played of a file: the track that the user chose; all of them together where each may be a
 * microphone; and where they are the same sound in several languages, the one that the file marks as its
 * default.
 */
function choiceOf(tracks: readonly SoundTrack[], chosen: number | null): TrackChoice {
  const byUser = tracks.find(({ position }) => position === chosen);
  const main = (byUser ?? tracks.find(({ isDefault }) => isDefault) ?? tracks[0])?.position ?? 0;
  // A track without a language is not a translation.
  const languages = new Set(tracks.map(({ language }) => language).filter((language) => language !== ''));
  if (byUser !== undefined || tracks.length < 2 || tracks.length > mostMixed || languages.size > 1)
    return main;
  return {
    mixed: tracks.map(({ position }) => position),
    channels: tracks.every(({ channels }) => channels === 1) ? 1 : 2,
  };
}

const differ = (aMs: number, bMs: number): boolean => Math.abs(aMs - bMs) > agreementMs;

type Sound = NonNullable<FileToJudge['sound']>;

/** Every length that a player may believe. */
function lengthsOf({ format, stated }: Sound, { durationMs }: Measured): number[] {
  // Our parser counts what an MP3 encoder added; what the file states of that is in its lengths.
  return durationMs === null || format.container === 'mp3'
    ? stated.lengthsMs
    : [...stated.lengthsMs, durationMs];
}

const isTooLong = ({ format }: Sound, durationMs: number): boolean =>
  format.container === 'ogg' && durationMs > limits.audioSectionMs;

/** Why a sound that our own parser knows is not played as it is. */
function reasonsOf(
  { sound, measured }: FileToJudge,
  { tracks, durationMs }: Pick<Judgement, 'tracks' | 'durationMs'>,
): Reason[] {
  if (sound === null) return ['codec'];
  return [
    ...(isPlayable(sound.format) ? [] : ['codec' as const]),
    ...(sound.hasPictures ? ['pictures' as const] : []),
    ...(tracks.length > 1 ? ['several-tracks' as const] : []),
    ...(measured.hasAbsurdTimes ? ['absurd-times' as const] : []),
    ...(isTooLong(sound, durationMs) ? ['too-long-for-ogg' as const] : []),
    ...(lengthsOf(sound, measured).some((lengthMs) => differ(lengthMs, durationMs))
      ? ['lengths-differ' as const]
      : []),
    ...sound.stated.obstacles,
  ];
}

/**
 * Judges an imported file by what it is: names its tracks, decodes the one that is played from its beginning
 * to its end, and compares that with everything that a player may believe. Its peaks are drawn on the way.
 */
export async function judgeFile(
  { blobs, program }: { blobs: BlobStore; program: string },
  asked: FileToJudge,
): Promise<Judgement> {
  const { file, measured, demuxer, signal, storePeaks } = asked;
  const latestMs = measured.durationMs === null || measured.hasAbsurdTimes ? 0 : measured.durationMs;
  return withStoredFile(
    blobs,
    { blobKey: file.blobKey, ...(demuxer === undefined ? {} : { demuxer }) },
    async (input) => {
      const tracks = input.kind === 'file' ? ((await probeSound(program, input, signal)) ?? []) : [];
      const played = choiceOf(tracks, asked.track);
      const channels =
        typeof played === 'number'
          ? (tracks.find(({ position }) => position === played)?.channels ??
            asked.sound?.format.channels ??
            2)
          : played.channels;
      const durationMs = await measureSound(program, {
        input,
        track: played,
        channels,
        latestMs,
        mostMs: mostSoundMs(file.sizeBytes),
        signal,
        storePeaks,
      });
      return {
        tracks,
        played,
        channels,
        durationMs,
        latestMs,
        reasons: reasonsOf(asked, { tracks, durationMs }),
      };
    },
  );
}
