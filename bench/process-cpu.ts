import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;
const msOf = (ticks: readonly number[]): number =>
  (ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond) * 1000;

/** The fields of `/proc/<pid>/stat` after the name, which may contain spaces. */
function statOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

/** Returns the CPU time that a process and its threads have used so far, in milliseconds (Linux). */
export const cpuMsOf = (pid: number): number => msOf(statOf(pid).slice(11, 13));

/** The same fields of every process that is running. */
function allStats(): { pid: number; fields: number[] }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const pid = Number(name);
      try {
        return [{ pid, fields: statOf(pid) }];
      } catch {
        // It has ended.
        return [];
      }
    });
}

/**
 * Returns the CPU time of all descendants of a process and of those that have ended, in milliseconds (Linux). Under
 * `runuser`, PostgreSQL is a grandchild.
 */
export function cpuMsOfTree(pid: number): number {
  const stats = allStats();
  const ids = new Set([pid]);
  for (let size = 0; size !== ids.size;) {
    size = ids.size;
    for (const { pid: id, fields } of stats) if (ids.has(fields[1] ?? -1)) ids.add(id);
  }
  // User, system, and the same of children that have ended.
  return msOf(stats.filter(({ pid: id }) => ids.has(id)).flatMap(({ fields }) => fields.slice(11, 15)));
}

/** Returns the memory in use by a process, in MiB (Linux). */
export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/**
 * Returns the bytes that a process has caused to be written to storage (Linux, `proc(5)`: `write_bytes`); 0 once
 * it has ended.
 */
export function writtenBytesOf(pid: number): number {
  try {
    return Number(/write_bytes: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
