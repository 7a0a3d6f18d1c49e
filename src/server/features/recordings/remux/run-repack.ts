import { type FileTask, limitsForFile, runFileProcess } from './run-file-process.ts';
import type { Repacked, RepackOptions } from './repack.ts';

const script = new URL('remux.process.ts', import.meta.url);
/** Runs `repack` in a child process. */
export const runRepack = (
  task: FileTask<RepackOptions>,
  { signal }: { signal: AbortSignal },
): Promise<Repacked> => runFileProcess(script, task, { signal, limits: limitsForFile(task.file.sizeBytes) });
