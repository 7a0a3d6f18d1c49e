import { minute, second } from '#base/duration.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { ReadableFile } from '#server/features/recordings/remux/packet-reader.ts';
import {
  FileProcessError,
  type FileProcessLimits,
  runFileProcess,
} from '#server/features/recordings/remux/run-file-process.ts';
import type { Measured, Probed } from './probe-file.ts';

const script = new URL('probe.process.ts', import.meta.url);
/** By the clock with time for a busy machine to start the process. */
const probeLimits: FileProcessLimits = { wallMs: 30 * second, cpuMs: 10 * second };
const measureLimits: FileProcessLimits = { wallMs: 5 * minute, cpuMs: 5 * minute };
/** What ended a process once may have been the machine's trouble and not the file's. */
const mostTries = 2;

interface Context {
  signal: AbortSignal;
}

const fileOf = (blobs: BlobStore, { blobKey, sizeBytes }: StoredSegment): ReadableFile => ({
  sizeBytes,
  read: (startByte, endByteExclusive) => blobs.read(blobKey, { startByte, endByteExclusive }),
});

const nothing = async (): Promise<void> => undefined;

/**
 * Runs the parser over an imported file, in a process of its own; null where the file was too much for it
 * twice.
 */
async function ask<Result>(
  file: ReadableFile,
  options: 'probe' | 'measure',
  context: Context & { limits: FileProcessLimits },
): Promise<Result | null> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await runFileProcess<typeof options, Result>(
        script,
        { file, options, output: { audio: nothing, peaks: nothing } },
        context,
      );
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof FileProcessError)) throw error;
    }
  }
  return null;
}

/**
 * What an imported file holds: one that breaks the parser, or keeps it longer than a file may, is damaged.
 * Rejects where the store cannot be read.
 */
export async function probeImport(
  blobs: BlobStore,
  segment: StoredSegment,
  { signal }: Context,
): Promise<Probed> {
  return (
    (await ask<Probed>(fileOf(blobs, segment), 'probe', { signal, limits: probeLimits })) ?? {
      kind: 'none',
      reason: 'damaged',
    }
  );
}

/** How long its sound is, by reading as much of it as it takes. */
export const measureImport = async (
  blobs: BlobStore,
  segment: StoredSegment,
  { signal }: Context,
): Promise<Measured> =>
  (await ask<Measured>(fileOf(blobs, segment), 'measure', { signal, limits: measureLimits })) ?? {
    durationMs: null,
    hasAbsurdTimes: false,
  };
