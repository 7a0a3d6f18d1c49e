import { mostSoundMs } from '#base/numbers/untrusted-numbers.ts';
import { limits } from '#contract/limits.ts';
import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';
import { remuxedKeyOf } from '../media/ogg-segment.ts';
import { withStoredFile } from '../media/ffmpeg-input-of.ts';
import { transcodeToOgg } from './ffmpeg.ts';
import { rewriting, unfinishedPeaks } from './made-peaks.ts';
import { FileProcessError } from '../file-process/run-file-process.ts';
import { runRepack } from './run-repack.ts';
import type { Repacked, RepackWish } from './repack.ts';

export interface RemuxerDeps {
  blobs: BlobStore;
  /** The program's path, or null where this system has none: then only Opus can be remuxed. */
  findFfmpeg: () => Promise<string | null>;
}

/**
 * What became of a segment: `remuxed` without decoding, `transcoded` by ffmpeg, `kept` because it was Ogg already, `nothing` because
 * no sound can be found in it, `ffmpeg-missing` or `undecodable` because its codec is not Opus and it stays as it is.
 */
export type RemuxOutcome = 'remuxed' | 'transcoded' | 'kept' | 'nothing' | 'ffmpeg-missing' | 'undecodable';

export interface RemuxedSegment {
  outcome: RemuxOutcome;
  /** Size of the Ogg file beside the segment; null where there is none. */
  remuxedBytes: number | null;
  /** The file claims times that cannot be; what was made of it is as long as its packets. */
  hasAbsurdTimes?: boolean;
}

export interface SegmentTask {
  segment: StoredSegment;
  /** `ogg`: packet by packet where they are Opus, else by decoding; `peaks`: only those. */
  make: 'ogg' | 'ogg-by-decoding' | 'peaks';
  wantsPeaks: boolean;
  signal: AbortSignal;
  /** ffmpeg's name for the file's container, where it is known. */
  demuxer?: string;
}

const mostTries = 2;

interface StoredFile { blobKey: string; sizeBytes: number }

/** One run of a process over one file; its peaks take the place of older ones once they are complete. */
async function runProcess({ blobs }: RemuxerDeps, { segment, signal }: SegmentTask, run: { file: StoredFile; wish: Omit<RepackWish, 'mostSilenceMs'>; audio: (bytes: Uint8Array) => Promise<void> }): Promise<Repacked> {
  const { blobKey, sizeBytes } = run.file;
  const peaks = run.wish.wantsPeaks ? await unfinishedPeaks(blobs, segment) : null;
  try {
    const result = await runRepack({
      file: { sizeBytes, read: (startByte, endByteExclusive) => blobs.read(blobKey, { startByte, endByteExclusive }) },
      wish: { ...run.wish, mostSilenceMs: Math.min(limits.longestTakeMs, mostSoundMs(sizeBytes)) },
      output: { audio: run.audio, peaks: async (bytes) => peaks?.append(bytes) },
    }, { signal });
    if (result.kind === 'done') await peaks?.finish();
    return result;
  } finally {
    await peaks?.discard();
  }
}

const nowhere = async (): Promise<void> => undefined;

/** Peaks only draw a recording: a file that breaks the process that makes them twice has none. */
async function makePeaks(deps: RemuxerDeps, task: SegmentTask, file: StoredFile): Promise<void> {
  for (let tries = 1; task.wantsPeaks && tries <= mostTries; tries += 1) {
    try {
      await runProcess(deps, task, { file, wish: { wantsAudio: false, wantsPeaks: true }, audio: nowhere });
      return;
    } catch (error) {
      if (!(error instanceof FileProcessError)) throw error;
    }
  }
}

const demuxerOf = ({ demuxer }: SegmentTask): { demuxer?: string } => (demuxer === undefined ? {} : { demuxer });

const mebibyte = 1024 ** 2;
/** ffmpeg ends a file at the packet that goes beyond its limit; up to then a page is in its hands. */
const limitSlackBytes = 64 * 1024;
/** What a codec of radios or phones makes small does not get better at the usual bitrate. */
const renditionBitratesBps = [64_000, 16_000] as const;

/** No rendition is larger: sixteen times what came, and a mebibyte for files of some seconds. */
export const mostRenditionBytes = (sizeBytes: number): number => 16 * sizeBytes + mebibyte;

async function transcode(deps: RemuxerDeps, task: SegmentTask): Promise<RemuxedSegment> {
  const program = await deps.findFfmpeg();
  if (program === null) return { outcome: 'ffmpeg-missing', remuxedBytes: null };
  const blobKey = remuxedKeyOf(task.segment.blobKey);
  const mostBytes = mostRenditionBytes(task.segment.sizeBytes);
  let sizeBytes = 0;
  let isCut = false;
  for (const bitrateBps of renditionBitratesBps) {
    const output = await rewriting(deps.blobs, blobKey);
    const wish = { bitrateBps, mostMs: mostSoundMs(task.segment.sizeBytes), mostBytes: mostBytes - limitSlackBytes };
    await withStoredFile(deps.blobs, { blobKey: task.segment.blobKey, ...demuxerOf(task) }, (input) => transcodeToOgg(program, { input, ...wish }, { store: output.append, signal: task.signal }));
    sizeBytes = output.sizeBytes();
    isCut = sizeBytes >= mostBytes - 2 * limitSlackBytes;
    if (!isCut) break;
  }
  if (sizeBytes === 0) {
    await deps.blobs.remove(blobKey);
    return { outcome: 'undecodable', remuxedBytes: null };
  }
  await makePeaks(deps, task, { blobKey, sizeBytes });
  return { outcome: 'transcoded', remuxedBytes: sizeBytes, hasAbsurdTimes: isCut };
}

interface Made { result: Repacked | 'broken'; remuxedBytes: number }

/** Repacks a segment; what ended the process once may have been the machine's trouble, so it is tried twice. What came of a broken file is kept: its playable part. */
async function repackSegment(deps: RemuxerDeps, task: SegmentTask): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    const output = await rewriting(deps.blobs, remuxedKeyOf(task.segment.blobKey));
    try {
      const result = await runProcess(deps, task, { file: task.segment, wish: { wantsAudio: true, wantsPeaks: task.wantsPeaks }, audio: output.append });
      return { result, remuxedBytes: output.sizeBytes() };
    } catch (error) {
      if (!(error instanceof FileProcessError)) throw error;
      if (tries === mostTries) return { result: 'broken', remuxedBytes: output.sizeBytes() };
    }
  }
}

async function remux(deps: RemuxerDeps, task: SegmentTask): Promise<RemuxedSegment> {
  if (task.make === 'peaks') {
    await makePeaks(deps, task, task.segment);
    return { outcome: 'kept', remuxedBytes: null };
  }
  if (task.make === 'ogg-by-decoding') return transcode(deps, task);
  const { result, remuxedBytes } = await repackSegment(deps, task);
  if (result === 'broken') return { outcome: remuxedBytes > 0 ? 'remuxed' : 'nothing', remuxedBytes, hasAbsurdTimes: true };
  if (result.kind === 'other') return transcode(deps, task);
  return result.kind === 'done' ? { outcome: 'remuxed', remuxedBytes, hasAbsurdTimes: result.hasAbsurdTimes } : { outcome: 'nothing', remuxedBytes };
}

/** Makes of segments as a browser's own recorder wrote them what the player needs. What one user sent never waits for what another did. */
export const createSegmentRemuxer = (deps: RemuxerDeps): (task: SegmentTask) => Promise<RemuxedSegment> => (task) => remux(deps, task);
