import { minute, second } from '#base/duration.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { StoredSegment } from '#server/features/uploads/stored-segments.ts';
import type { ReadableFile } from '#server/features/recordings/remux/packet-reader.ts';
import {
  FileProcessError,
  type FileProcessLimits,
  runFileProcess,
} from '#server/features/recordings/remux/run-file-process.ts';
import { type Measured, type Probed, unmeasured } from './probe-file.ts';

const script = new URL('probe.process.ts', import.meta.url);
/** The wall-clock limit leaves time for a busy machine to start the process. */
const probeLimits: FileProcessLimits = { wallMs: 30 * second, cpuMs: 10 * second };
const measureLimits: FileProcessLimits = { wallMs: 5 * minute, cpuMs: 5 * minute };
/** A process may have ended because of the machine rather than the file, so it is tried twice. */
const maxTries = 2;

interface Context {
  signal: AbortSignal;
}

const fileOf = (blobs: BlobStore, { blobKey, sizeBytes }: StoredSegment): ReadableFile => ({
  sizeBytes,
  read: (startByte, endByteExclusive) => blobs.read(blobKey, { startByte, endByteExclusive }),
});

const nothing = async (): Promise<void> => undefined;

/** What the parser does with a file. `measure-packets`: it reads all packets as well. */
export type ProbeWork = 'probe' | 'measure' | 'measure-packets';

/** Runs the parser over an imported file in a child process. Returns null if the process failed on the file twice. */
async function runProbe<Result>(
  file: ReadableFile,
  options: ProbeWork,
  context: Context & { limits: FileProcessLimits },
): Promise<Result | null> {
  for (let tries = 0; tries < maxTries; tries += 1) {
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
 * Determines the contents of an imported file. A file that breaks the parser, or takes it too long, is damaged.
 * Rejects if the store can't be read.
 */
export async function probeImport(
  blobs: BlobStore,
  segment: StoredSegment,
  { signal }: Context,
): Promise<Probed> {
  return (
    (await runProbe<Probed>(fileOf(blobs, segment), 'probe', { signal, limits: probeLimits })) ?? {
      kind: 'none',
      reason: 'damaged',
    }
  );
}

/** Measures the duration of an imported file's sound, reading as much of it as necessary. */
export const measureImport = async (
  blobs: BlobStore,
  segment: StoredSegment,
  { signal, readsPackets }: Context & { readsPackets: boolean },
): Promise<Measured> =>
  (await runProbe<Measured>(fileOf(blobs, segment), readsPackets ? 'measure-packets' : 'measure', {
    signal,
    limits: measureLimits,
  })) ?? unmeasured;
