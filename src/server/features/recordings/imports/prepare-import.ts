import { mostSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { type Format, isPlayable } from '#contract/formats.ts';
import type { RecordingDetails } from '#contract/recordings.ts';
import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';
import { withStoredFile } from '../media/ffmpeg-input-of.ts';
import { hasOwnPeaks, unfinishedPeaks, withMadePeaks } from '../remux/made-peaks.ts';
import type { RemuxOne } from '../remux/remux-segments.ts';
import type { RemuxOutcome } from '../remux/segment-remuxer.ts';
import { decodePeaks } from './decode-peaks.ts';
import type { Measured, Probed } from './probe-file.ts';
import { measureImport, probeImport } from './probe-import.ts';

type Reason = NonNullable<RecordingDetails['failureReason']>;

/** An import once everything is made that can be made of it, or the reason why nothing can be heard of it. */
export type PreparedImport =
  | { kind: 'refused'; reason: Reason }
  | { kind: 'heard'; segments: StoredSegment[]; format: Format; durationMs: number | null; rendition: 'none' | 'ready' | 'failed'; hasAbsurdTimes: boolean };

export interface PrepareImportDeps {
  blobs: BlobStore;
  findFfmpeg: () => Promise<string | null>;
  remuxOne: RemuxOne;
}

type Sound = Extract<Probed, { kind: 'sound' }>;
interface Measuring { sound: Sound; measured: Measured }
interface Task { file: StoredSegment; segments: readonly StoredSegment[]; wantsPeaks: boolean; signal: AbortSignal }

const unknownFormat = (container: Format['container']): Format => ({ container, codec: 'unknown', sampleRateHz: 48_000, channels: 2 });
const demuxerOf = ({ format, isQuickTime }: Sound): { demuxer?: string } => (format.container === 'mp4' || isQuickTime ? { demuxer: 'mov' } : {});

/** The recording's segments with this one in the place of what it was, and the peaks that were made. */
const withFile = ({ segments }: Task, { blobs }: PrepareImportDeps, file: StoredSegment): Promise<StoredSegment[]> =>
  withMadePeaks(blobs, segments.map((each) => (each.uploadId === file.uploadId ? file : each)));

/** Makes a rendition by decoding, and says what came of it where the format is only known so far. */
async function decode(deps: PrepareImportDeps, task: Task, { format, demuxer }: { format: Format; demuxer?: string }): Promise<PreparedImport> {
  const { segment, outcome, hasAbsurdTimes } = await deps.remuxOne(task.file, { make: 'ogg-by-decoding', wantsPeaks: task.wantsPeaks, signal: task.signal, ...(demuxer === undefined ? {} : { demuxer }) });
  if (outcome === 'undecodable') return { kind: 'refused', reason: 'damaged' };
  return { kind: 'heard', segments: await withFile(task, deps, segment), format, durationMs: null, rendition: outcome === 'ffmpeg-missing' ? 'failed' : 'ready', hasAbsurdTimes };
}

/** Peaks of what is played as it is, where the device sent none: Opus by its packets, anything else through ffmpeg where there is one. */
async function makePeaks(deps: PrepareImportDeps, task: Task, sound: Sound): Promise<void> {
  const { file, signal } = task;
  if (sound.format.codec === 'opus' && sound.format.channels <= 2) {
    await deps.remuxOne(file, { make: 'peaks', wantsPeaks: true, signal });
    return;
  }
  const program = await deps.findFfmpeg();
  if (program === null) return;
  const peaks = await unfinishedPeaks(deps.blobs, file);
  try {
    const bounds = { mostMs: mostSoundMs(file.sizeBytes), signal, store: peaks.append };
    await withStoredFile(deps.blobs, { blobKey: file.blobKey, ...demuxerOf(sound) }, (input) => decodePeaks(program, input, bounds));
    await peaks.finish();
  } finally {
    await peaks.discard();
  }
}

const couldRepack = ({ format: { codec, channels } }: Sound): boolean => codec === 'opus' && channels <= 2;
const isDone = (outcome: RemuxOutcome): boolean => outcome === 'remuxed' || outcome === 'transcoded';

async function asItIs(deps: PrepareImportDeps, task: Task, { sound, measured: { durationMs, hasAbsurdTimes } }: Measuring): Promise<PreparedImport> {
  if (task.wantsPeaks) await makePeaks(deps, task, sound);
  return { kind: 'heard', segments: await withFile(task, deps, task.file), format: sound.format, durationMs: durationMs ?? sound.durationMs, rendition: 'none', hasAbsurdTimes };
}

/** Packet by packet where they are Opus, else by decoding; null where nothing here can make a rendition. */
async function makeRendition(deps: PrepareImportDeps, task: Task, sound: Sound): Promise<PreparedImport | null> {
  if (couldRepack(sound)) {
    const { segment, outcome, hasAbsurdTimes } = await deps.remuxOne(task.file, { make: 'ogg', wantsPeaks: task.wantsPeaks, signal: task.signal });
    if (isDone(outcome)) return { kind: 'heard', segments: await withFile(task, deps, segment), format: sound.format, durationMs: null, rendition: 'ready', hasAbsurdTimes };
  }
  const decoded = await decode(deps, task, { format: sound.format, ...demuxerOf(sound) });
  return decoded.kind === 'refused' || decoded.rendition === 'ready' ? decoded : null;
}

/** A sound that browsers play themselves, unless they would have to guess in it, or believe times that cannot be. */
async function preparePlayable(deps: PrepareImportDeps, task: Task, sound: Sound): Promise<PreparedImport> {
  const measured = await measureImport(deps.blobs, task.file, { signal: task.signal });
  if (!sound.seeksByGuessing && !measured.hasAbsurdTimes) return asItIs(deps, task, { sound, measured });
  const made = await makeRendition(deps, task, sound);
  // What is sought roughly is still heard.
  if (made === null) return asItIs(deps, task, { sound, measured });
  return made.kind === 'refused' ? made : { ...made, hasAbsurdTimes: made.hasAbsurdTimes || measured.hasAbsurdTimes };
}

async function prepareSound(deps: PrepareImportDeps, task: Task, sound: Sound): Promise<PreparedImport> {
  if (isPlayable(sound.format) && !sound.hasPictures) return preparePlayable(deps, task, sound);
  const made = await makeRendition(deps, task, sound);
  if (made !== null) return made;
  const { durationMs, hasAbsurdTimes } = await measureImport(deps.blobs, task.file, { signal: task.signal });
  return { kind: 'heard', segments: await withFile(task, deps, task.file), format: sound.format, durationMs: durationMs ?? sound.durationMs, rendition: 'failed', hasAbsurdTimes };
}

/** Where our own parser finds nothing, ffmpeg may know more; what it does not know either stays with our reason. */
async function prepareUnknown(deps: PrepareImportDeps, task: Task, reason: Reason): Promise<PreparedImport> {
  const decoded = await decode(deps, task, { format: unknownFormat('other') });
  return decoded.kind === 'heard' && decoded.rendition === 'ready' ? decoded : { kind: 'refused', reason };
}

/**
 * Looks into an imported file once its bytes are complete, and makes of it what the player needs: a rendition where browsers do not play it,
 * peaks where the device sent none. Safe to run again. Rejects where the stores fail, never because of what is in the file.
 */
export async function prepareImport(deps: PrepareImportDeps, segments: readonly StoredSegment[], { signal }: { signal: AbortSignal }): Promise<PreparedImport> {
  const file = segments.find(({ stream, sealedAtMs }) => stream === 'audio' && sealedAtMs !== null);
  if (file === undefined) return { kind: 'refused', reason: 'empty' };
  const task: Task = { file, segments, wantsPeaks: !hasOwnPeaks(file, segments), signal };
  const probed = await probeImport(deps.blobs, file, { signal });
  if (probed.kind === 'sound') return prepareSound(deps, task, probed);
  if (probed.kind === 'foreign') return decode(deps, task, { ...probed.container, format: unknownFormat(probed.container.container) });
  const { reason } = probed;
  return reason === 'not-audio' || reason === 'damaged' ? prepareUnknown(deps, task, reason) : { kind: 'refused', reason };
}
