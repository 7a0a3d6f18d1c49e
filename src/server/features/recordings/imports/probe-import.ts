import { minute, second } from '#base/duration.ts';
import type { BlobStore } from '../../../storage/blobs/blob-store.ts';
import type { StoredSegment } from '../../uploads/stored-segments.ts';
import type { ReadableFile } from '../remux/packet-reader.ts';
import { FileThreadError, runFileThread } from '../remux/run-file-thread.ts';
import type { Measured, Probed } from './probe-file.ts';

const script = new URL('probe.thread.ts', import.meta.url);
const longestProbeMs = 10 * second;
const longestMeasureMs = 5 * minute;

interface Context { signal: AbortSignal }

const fileOf = (blobs: BlobStore, { blobKey, sizeBytes }: StoredSegment): ReadableFile =>
  ({ sizeBytes, read: (startByte, endByteExclusive) => blobs.read(blobKey, { startByte, endByteExclusive }) });

const nothing = async (): Promise<void> => undefined;

/** Runs the parser over an imported file, in a thread and for so long at most; null where the file was too much for it. */
async function ask<Result>(file: ReadableFile, wish: 'probe' | 'measure', { signal, longestMs }: Context & { longestMs: number }): Promise<Result | null> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  try {
    return await runFileThread<typeof wish, Result>(script, { file, wish, output: { audio: nothing, peaks: nothing } }, { signal: ended });
  } catch (error) {
    signal.throwIfAborted();
    if (ended.aborted || error instanceof FileThreadError) return null;
    throw error;
  }
}

/** What an imported file holds, told within ten seconds: a file that breaks the parser, or keeps it longer, is damaged. Rejects where the store cannot be read. */
export async function probeImport(blobs: BlobStore, segment: StoredSegment, { signal }: Context): Promise<Probed> {
  return await ask<Probed>(fileOf(blobs, segment), 'probe', { signal, longestMs: longestProbeMs }) ?? { kind: 'none', reason: 'damaged' };
}

/** How long its sound is, by reading as much of it as it takes. */
export const measureImport = async (blobs: BlobStore, segment: StoredSegment, { signal }: Context): Promise<Measured> =>
  await ask<Measured>(fileOf(blobs, segment), 'measure', { signal, longestMs: longestMeasureMs }) ?? { durationMs: null, hasAbsurdTimes: false };
