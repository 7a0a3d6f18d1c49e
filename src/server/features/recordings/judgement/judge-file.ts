import type { Obstacle } from '#audio/containers/stated/stated-facts.ts';
import { mostSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { isPlayable } from '#contract/formats.ts';
import { probeSound, type SoundTrack } from '../../../processes/ffmpeg/probe-sound.ts';
import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';
import type { Measured, Probed } from '../imports/probe-file.ts';
import { withStoredFile } from '../media/ffmpeg-input-of.ts';
import { measureSound } from './measure-sound.ts';

/** By these rules files are judged; imports that were judged by older ones are judged again. */
export const judgementVersion = 1;

/** By how much readers of one file may differ: lengths are rounded to packets, and decoders leave the delay of an encoder in or take it out. */
export const agreementMs = 100;

/** Why an import is not played as it is: what its file states, or what only the whole of it shows. */
type Reason = Obstacle | 'codec' | 'pictures' | 'several-tracks' | 'lengths-differ' | 'absurd-times';

/** What is known of an imported file once all of it was read. */
export interface Judgement {
  /** Its tracks of sound, in the order of the file; empty where nobody can name them. */
  tracks: readonly SoundTrack[];
  /** The position of the one that is played. */
  track: number;
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

const chosenTrack = (tracks: readonly SoundTrack[], chosen: number | null): number =>
  (tracks.find(({ position }) => position === chosen) ?? tracks.find(({ isDefault }) => isDefault) ?? tracks[0])?.position ?? 0;

const differ = (aMs: number, bMs: number): boolean => Math.abs(aMs - bMs) > agreementMs;

/** Why a sound that our own parser knows is not played as it is. */
function reasonsOf({ sound, measured }: FileToJudge, { tracks, durationMs }: Pick<Judgement, 'tracks' | 'durationMs'>): Reason[] {
  if (sound === null) return ['codec'];
  // Our parser counts what an MP3 encoder added; what the file states of that is in its lengths.
  const isCounted = measured.durationMs !== null && sound.format.container !== 'mp3';
  const lengthsMs = [...sound.stated.lengthsMs, ...(isCounted ? [measured.durationMs ?? 0] : [])];
  return [
    ...(isPlayable(sound.format) ? [] : ['codec' as const]), ...(sound.hasPictures ? ['pictures' as const] : []), ...(tracks.length > 1 ? ['several-tracks' as const] : []),
    ...(measured.hasAbsurdTimes ? ['absurd-times' as const] : []), ...(lengthsMs.some((lengthMs) => differ(lengthMs, durationMs)) ? ['lengths-differ' as const] : []), ...sound.stated.obstacles,
  ];
}

/**
 * Judges an imported file by what it is: names its tracks, decodes the one that is played from its beginning to its end, and compares that with
 * everything that a player may believe. Its peaks are drawn on the way.
 */
export async function judgeFile({ blobs, program }: { blobs: BlobStore; program: string }, asked: FileToJudge): Promise<Judgement> {
  const { file, measured, demuxer, signal, storePeaks } = asked;
  const latestMs = measured.durationMs === null || measured.hasAbsurdTimes ? 0 : measured.durationMs;
  return withStoredFile(blobs, { blobKey: file.blobKey, ...(demuxer === undefined ? {} : { demuxer }) }, async (input) => {
    const tracks = input.kind === 'file' ? await probeSound(program, input, signal) ?? [] : [];
    const track = chosenTrack(tracks, asked.track);
    const channels = tracks.find(({ position }) => position === track)?.channels ?? asked.sound?.format.channels ?? 2;
    const durationMs = await measureSound(program, { input, track, channels, latestMs, mostMs: mostSoundMs(file.sizeBytes), signal, storePeaks });
    return { tracks, track, channels, durationMs, latestMs, reasons: reasonsOf(asked, { tracks, durationMs }) };
  });
}
