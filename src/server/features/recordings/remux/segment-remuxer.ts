import { unrepeated } from '#audio/containers/repeated-fragment.ts';
import type { ReadBytes } from '#audio/ogg/joined-facts.ts';
import { maxSoundMsOf } from '#base/numbers/untrusted-numbers.ts';
import { limits } from '#contract/limits.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { RemuxedContainer } from '#server/storage/database/schema.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import { remuxedKeyOf, unfinishedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { rewriting } from '#server/storage/blobs/rewriting.ts';
import { copySound } from './copy-sound.ts';
import { withStoredFile } from '#server/features/recordings/media/ffmpeg-input-of.ts';
import { probeSound } from '#server/processes/ffmpeg/probe-sound.ts';
import { type TrackChoice, transcodeToOgg } from './ffmpeg.ts';
import { unfinishedPeaks } from './made-peaks.ts';
import { FileProcessError } from './run-file-process.ts';
import type { FilledHoles } from './timeline-of-packets.ts';
import { runRepack } from './run-repack.ts';
import type { Repacked, RepackOptions } from './repack.ts';

export interface RemuxerDeps {
  blobs: BlobStore;
  /** Returns the path of ffmpeg, or null if it is not installed; then only Opus can be remuxed. */
  findFfmpeg: () => Promise<string | null>;
}

/**
 * The outcome for a segment: `remuxed` without decoding; `transcoded` by ffmpeg; `kept` because it was already
 * Ogg; `nothing` because no sound was found; `rejected` because the result was not as expected; `ffmpeg-missing`
 * or `undecodable` because its codec is not Opus and it stays as it is.
 */
export type RemuxOutcome =
  | 'remuxed'
  | 'transcoded'
  | 'kept'
  | 'nothing'
  | 'rejected'
  | 'ffmpeg-missing'
  | 'undecodable';

export interface RemuxedSegment {
  outcome: RemuxOutcome;
  /** The size of the file made from the segment; null if there is none. */
  remuxedBytes: number | null;
  /** The container of that file. */
  container: RemuxedContainer;
  /** The file claims absurd times. The result is as long as its packets. */
  hasAbsurdTimes?: boolean;
}

export interface SegmentTask {
  segment: StoredSegment;
  /**
   * `ogg`: from the packets if they are Opus, otherwise by decoding; `copy`: the packets in another container;
   * `peaks`: only the peaks.
   */
  make: 'ogg' | 'ogg-by-decoding' | 'copy' | 'peaks';
  wantsPeaks: boolean;
  signal: AbortSignal;
  /** Distinguishes the unfinished files of jobs that may work on the segment at the same time. */
  writer?: string;
  /** Selects the sound in a file that may have several. Default: the first one, with the file's own times. */
  chosen?: RemuxRange;
  /** Checks the result before it replaces the previous one. A rejected result is deleted. */
  accepts?: (made: MadeFile) => Promise<boolean>;
}

/** Selects the sound to read. */
export interface RemuxRange {
  /** ffmpeg's name for the file's container, if known. */
  demuxer?: string;
  track: TrackChoice;
  /** See `placedSound`. */
  latestMs: number;
  /** By how much floating-point samples become quieter when they are decoded; default: 0. */
  quieterDb?: number;
  /** How repacking fills holes. Default: as in the file of a browser's recorder. */
  filled?: FilledHoles;
  /** The container to copy to, and where to stop. */
  copy?: { container: Exclude<RemuxedContainer, 'ogg'>; untilMs: number; tracks: number };
}

/** A file made from a segment that does not yet replace it. */
export interface MadeFile {
  blobKey: string;
  sizeBytes: number;
  container: RemuxedContainer;
}

const maxTries = 2;

interface StoredFile {
  blobKey: string;
  sizeBytes: number;
}

/** Shorter differences are jitter of a recorder's clock, not missing sound. */
const minHoleInTakeMs = 100;

/** How holes are filled in the file of a browser's recorder, which writes a take as long as the clock says. */
const filledInTake = (sizeBytes: number): FilledHoles => ({
  minHoleMs: minHoleInTakeMs,
  maxSilenceMs: Math.min(limits.maxTakeMs, maxSoundMsOf(sizeBytes)),
});

/** Runs the process once on one file. New peaks replace older ones when they are complete. */
async function runProcess(
  { blobs }: RemuxerDeps,
  { segment, signal, writer, chosen }: SegmentTask,
  run: {
    file: StoredFile;
    options: Omit<RepackOptions, 'filled'>;
    audio: (bytes: Uint8Array) => Promise<void>;
  },
): Promise<Repacked> {
  const { blobKey, sizeBytes } = run.file;
  const plain: ReadBytes = (startByte, endByteExclusive) =>
    blobs.read(blobKey, { startByte, endByteExclusive });
  const read = segment.container === 'mp4' ? await unrepeated(plain, sizeBytes) : plain;
  const peaks = run.options.wantsPeaks ? await unfinishedPeaks(blobs, segment, writer) : null;
  try {
    const result = await runRepack(
      {
        file: { sizeBytes, read },
        options: { ...run.options, filled: chosen?.filled ?? filledInTake(sizeBytes) },
        output: { audio: run.audio, peaks: async (bytes) => peaks?.append(bytes) },
      },
      { signal },
    );
    if (result.kind === 'done') await peaks?.finish();
    return result;
  } finally {
    await peaks?.discard();
  }
}

const nowhere = async (): Promise<void> => undefined;

/** Makes peaks. They are only for display, so a file that breaks the process twice simply has none. */
async function makePeaks(deps: RemuxerDeps, task: SegmentTask, file: StoredFile): Promise<void> {
  for (let tries = 1; task.wantsPeaks && tries <= maxTries; tries += 1) {
    try {
      await runProcess(deps, task, {
        file,
        options: { wantsAudio: false, wantsPeaks: true },
        audio: nowhere,
      });
      return;
    } catch (error) {
      if (!(error instanceof FileProcessError)) throw error;
    }
  }
}

const demuxerOf = ({ chosen }: SegmentTask): { demuxer?: string } =>
  chosen?.demuxer === undefined ? {} : { demuxer: chosen.demuxer };

const mebibyte = 1024 ** 2;
/** ffmpeg ends a file at the packet that exceeds the limit, and may buffer up to a page before. */
const limitSlackBytes = 64 * 1024;
/** If a low-bitrate codec of radios or phones makes the rendition too large, the lower bitrate is sufficient. */
const renditionBitratesBps = [64_000, 16_000] as const;

/** The maximum size of a rendition: sixteen times the upload, plus a mebibyte for very short files. */
export const maxRenditionBytes = (sizeBytes: number): number => 16 * sizeBytes + mebibyte;

/**
 * Replaces the played file of the segment with the made one, unless it is rejected. The previous file is played
 * until then.
 */
async function place(
  deps: RemuxerDeps,
  task: SegmentTask,
  made: MadeFile & { outcome: RemuxOutcome; hasAbsurdTimes: boolean },
): Promise<RemuxedSegment> {
  const { blobKey, sizeBytes, container, outcome, hasAbsurdTimes } = made;
  if (task.accepts !== undefined && !(await task.accepts(made))) {
    await deps.blobs.remove(blobKey);
    return { outcome: 'rejected', remuxedBytes: null, container, hasAbsurdTimes };
  }
  await deps.blobs.move(blobKey, remuxedKeyOf(task.segment.blobKey, container));
  return { outcome, remuxedBytes: sizeBytes, container, hasAbsurdTimes };
}

const unfinishedRemuxOf = ({ segment, writer }: SegmentTask, container: RemuxedContainer): string =>
  unfinishedKeyOf(remuxedKeyOf(segment.blobKey, container), writer);

async function transcode(deps: RemuxerDeps, task: SegmentTask): Promise<RemuxedSegment> {
  const program = await deps.findFfmpeg();
  if (program === null) return { outcome: 'ffmpeg-missing', remuxedBytes: null, container: 'ogg' };
  const blobKey = unfinishedRemuxOf(task, 'ogg');
  const maxBytes = maxRenditionBytes(task.segment.sizeBytes);
  const { track, latestMs, quieterDb = 0 } = task.chosen ?? { track: 0, latestMs: null };
  let sizeBytes = 0;
  let isCut = false;
  for (const bitrateBps of renditionBitratesBps) {
    const output = await rewriting(deps.blobs, blobKey);
    const options = {
      track,
      latestMs,
      quieterDb,
      bitrateBps,
      maxMs: maxSoundMsOf(task.segment.sizeBytes),
      maxBytes: maxBytes - limitSlackBytes,
    };
    await withStoredFile(deps.blobs, { blobKey: task.segment.blobKey, ...demuxerOf(task) }, async (input) => {
      const { signal } = task;
      const tracks = (input.kind === 'file' && (await probeSound(program, input, signal))) || [];
      await transcodeToOgg(program, { input, tracks, ...options }, { store: output.append, signal });
    });
    sizeBytes = output.sizeBytes();
    isCut = sizeBytes >= maxBytes - 2 * limitSlackBytes;
    if (!isCut) break;
  }
  if (sizeBytes === 0) {
    await deps.blobs.remove(blobKey);
    return { outcome: 'undecodable', remuxedBytes: null, container: 'ogg' };
  }
  await makePeaks(deps, task, { blobKey, sizeBytes });
  return place(deps, task, {
    blobKey,
    sizeBytes,
    container: 'ogg',
    outcome: 'transcoded',
    hasAbsurdTimes: isCut,
  });
}

interface Made {
  result: Repacked | 'broken';
  remuxedBytes: number;
}

/**
 * Repacks a segment. The process may have ended because of the machine, so it is tried twice. The playable part of
 * a broken file is kept.
 */
async function repackSegment(deps: RemuxerDeps, task: SegmentTask, blobKey: string): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    const output = await rewriting(deps.blobs, blobKey);
    try {
      const result = await runProcess(deps, task, {
        file: task.segment,
        options: { wantsAudio: true, wantsPeaks: task.wantsPeaks },
        audio: output.append,
      });
      return { result, remuxedBytes: output.sizeBytes() };
    } catch (error) {
      if (!(error instanceof FileProcessError)) throw error;
      if (tries === maxTries) return { result: 'broken', remuxedBytes: output.sizeBytes() };
    }
  }
}

async function remuxOpus(deps: RemuxerDeps, task: SegmentTask): Promise<RemuxedSegment> {
  const blobKey = unfinishedRemuxOf(task, 'ogg');
  const { result, remuxedBytes: sizeBytes } = await repackSegment(deps, task, blobKey);
  if (result === 'broken')
    return place(deps, task, {
      blobKey,
      sizeBytes,
      container: 'ogg',
      outcome: sizeBytes > 0 ? 'remuxed' : 'nothing',
      hasAbsurdTimes: true,
    });
  if (result.kind === 'other') {
    await deps.blobs.remove(blobKey);
    return transcode(deps, task);
  }
  const isDone = result.kind === 'done';
  return place(deps, task, {
    blobKey,
    sizeBytes,
    container: 'ogg',
    outcome: isDone ? 'remuxed' : 'nothing',
    hasAbsurdTimes: isDone && result.hasAbsurdTimes,
  });
}

/** Copies the packets of a sound, or the samples of a WAV file. A file that breaks the process gets no copy. */
async function copy(deps: RemuxerDeps, task: SegmentTask): Promise<RemuxedSegment> {
  const { segment, signal, chosen } = task;
  const nothing: RemuxedSegment = { outcome: 'nothing', remuxedBytes: null, container: 'ogg' };
  if (chosen?.copy === undefined || typeof chosen.track !== 'number') return nothing;
  const { container, ...options } = chosen.copy;
  const blobKey = unfinishedRemuxOf(task, container);
  const output = await rewriting(deps.blobs, blobKey);
  const file = {
    sizeBytes: segment.sizeBytes,
    read: (startByte: number, endByteExclusive: number) =>
      deps.blobs.read(segment.blobKey, { startByte, endByteExclusive }),
  };
  const isDone = await copySound({
    file,
    container,
    options: { track: chosen.track, ...options },
    give: output.append,
    signal,
  });
  if (isDone)
    return place(deps, task, {
      blobKey,
      sizeBytes: output.sizeBytes(),
      container,
      outcome: 'remuxed',
      hasAbsurdTimes: false,
    });
  await deps.blobs.remove(blobKey);
  return nothing;
}

function remux(deps: RemuxerDeps, task: SegmentTask): Promise<RemuxedSegment> {
  if (task.make === 'ogg') return remuxOpus(deps, task);
  if (task.make === 'copy') return copy(deps, task);
  if (task.make === 'ogg-by-decoding') return transcode(deps, task);
  return makePeaks(deps, task, task.segment).then(() => ({
    outcome: 'kept',
    remuxedBytes: null,
    container: 'ogg',
  }));
}

/**
 * Makes the files that the player needs from segments of MediaRecorder and from imports. No user waits for the
 * segments of another.
 */
export const createSegmentRemuxer =
  (deps: RemuxerDeps): ((task: SegmentTask) => Promise<RemuxedSegment>) =>
  (task) =>
    remux(deps, task);
