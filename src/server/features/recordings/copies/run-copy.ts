import {
  type FileTask,
  limitsForFile,
  runFileProcess,
} from '#server/features/recordings/file-process/run-file-process.ts';
import type { Copied, CopyOptions } from './copy-track.ts';

const script = new URL('copy.process.ts', import.meta.url);

/** Runs `copyTrack` in a process of its own. */
export const runCopy = (task: FileTask<CopyOptions>, { signal }: { signal: AbortSignal }): Promise<Copied> =>
  runFileProcess(script, task, { signal, limits: limitsForFile(task.file.sizeBytes) });
