import { FileProcessError, type FileTask, limitsForFile, runFileProcess } from './run-file-process.ts';
import type { ReadableFile } from './packet-reader.ts';
import { copyWav } from './copy-wav.ts';
import type { Copied, CopyOptions } from './copy-track.ts';

const script = new URL('copy.process.ts', import.meta.url);

interface CopyTask {
  file: ReadableFile;
  container: CopyOptions['container'] | 'wav';
  options: Omit<CopyOptions, 'container'>;
  give: (bytes: Uint8Array) => Promise<void>;
  signal: AbortSignal;
}

/** Runs `copyTrack` in a child process. */
const runCopy = (task: FileTask<CopyOptions>, { signal }: { signal: AbortSignal }): Promise<Copied> =>
  runFileProcess(script, task, { signal, limits: limitsForFile(task.file.sizeBytes) });

const nowhere = async (): Promise<void> => undefined;

/**
 * Copies a sound into another container without decoding it. Returns false if that is impossible. Rejects if a
 * store fails.
 */
export async function copySound({ file, container, options, give, signal }: CopyTask): Promise<boolean> {
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
