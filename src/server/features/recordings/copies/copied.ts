import { FileProcessError } from '#server/features/recordings/file-process/run-file-process.ts';
import type { ReadableFile } from '#server/features/recordings/remux/packet-reader.ts';
import { copyWav } from './copy-wav.ts';
import type { CopyOptions } from './copy-track.ts';
import { runCopy } from './run-copy.ts';

interface CopyTask {
  file: ReadableFile;
  container: CopyOptions['container'] | 'wav';
  options: Omit<CopyOptions, 'container'>;
  give: (bytes: Uint8Array) => Promise<void>;
  signal: AbortSignal;
}

const nowhere = async (): Promise<void> => undefined;

/**
 * Copies a sound into another container without decoding it. False where that cannot be; rejects where a
 * store fails.
 */
export async function copied({ file, container, options, give, signal }: CopyTask): Promise<boolean> {
  if (container === 'wav') return copyWav(file, give, signal);
  try {
    const { kind } = await runCopy(
      { file, options: { container, ...options }, output: { audio: give, peaks: nowhere } },
      { signal },
    );
    return kind === 'done';
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FileProcessError) return false;
    throw error;
  }
}
