import { existsSync, readFileSync } from 'node:fs';

// The processor time of tests: what is compared with a budget, because it hardly depends on what else the machine
// does, unlike the time on the clock.

/** The environment variable that names the file to which each test file appends its `FileTime`, as a line of JSON. */
export const timesVariable = 'EARSHOT_TEST_TIMES';

/** What one test file used, including the processes that it started and that ended before it. */
export interface FileTime {
  file: string;
  processorMs: number;
  wallMs: number;
}

/** The unit of times in /proc on Linux (USER_HZ). */
const tickMs = 10;

/**
 * The processor time of a process and of its children that have ended, in milliseconds (proc(5), /proc/pid/stat:
 * utime, stime, cutime and cstime). Null if the system does not tell.
 */
export function processorMsOf(pid: number | 'self'): number | null {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return null;
  // The name of the program, in parentheses, may contain spaces.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = fields.slice(11, 15).map(Number);
  return ticks.length === 4 && ticks.every(Number.isFinite)
    ? ticks.reduce((sum, each) => sum + each, 0) * tickMs
    : null;
}

/** Reads the times of a run. A file that ran more than once, in several projects, has one sum. */
export function readFileTimes(path: string): FileTime[] {
  if (!existsSync(path)) return [];
  const times = new Map<string, FileTime>();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { file, processorMs, wallMs } = JSON.parse(line) as FileTime;
    const earlier = times.get(file);
    times.set(file, {
      file,
      processorMs: processorMs + (earlier?.processorMs ?? 0),
      wallMs: wallMs + (earlier?.wallMs ?? 0),
    });
  }
  return [...times.values()];
}
