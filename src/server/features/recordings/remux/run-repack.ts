import { hour, minute, second } from '#base/duration.ts';
import { type FileProcessLimits, type FileTask, runFileProcess } from '../file-process/run-file-process.ts';
import type { Repacked, RepackWish } from './repack.ts';

const script = new URL('remux.process.ts', import.meta.url);
/** Decoding for peaks, the slowest that is asked for, reads fifty times as much on one core of today. */
const bytesPerCpuSecond = 20_000;
const longestWallMs = 2 * hour;

/** What a file of this size may cost: it grows with the bytes that it brings, and with nothing that it claims. */
function limitsFor(sizeBytes: number): FileProcessLimits {
  const cpuMs = minute + (sizeBytes / bytesPerCpuSecond) * second;
  return { cpuMs, wallMs: Math.min(longestWallMs, 10 * minute + 4 * cpuMs) };
}

/** Runs `repack` in a process of its own. */
export const runRepack = (task: FileTask<RepackWish>, { signal }: { signal: AbortSignal }): Promise<Repacked> =>
  runFileProcess(script, task, { signal, limits: limitsFor(task.file.sizeBytes) });
