import {
  type FileTask,
  limitsForFile,
  runFileProcess,
} from '#server/features/recordings/file-process/run-file-process.ts';
import type { Repacked, RepackWish } from './repack.ts';

const script = new URL('remux.process.ts', import.meta.url);
/** Runs `repack` in a process of its own. */
export const runRepack = (
  task: FileTask<RepackWish>,
  { signal }: { signal: AbortSignal },
): Promise<Repacked> => runFileProcess(script, task, { signal, limits: limitsForFile(task.file.sizeBytes) });
