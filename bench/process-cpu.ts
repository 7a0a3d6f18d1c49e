import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Returns the CPU time that a process and its threads have used so far, in milliseconds (Linux). */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

/** The fields of `/proc/<pid>/stat` after the name, which may contain spaces; null once the process has ended. */
function statOf(pid: string): number[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return null;
  }
}

/**
 * Returns the CPU time of all descendants of a process and of those that have ended, in milliseconds (Linux). Under
 * `runuser`, PostgreSQL is a grandchild.
 */
export function cpuMsOfTree(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), fields: statOf(name) }));
  const ids = new Set([pid]);
  for (let size = 0; size !== ids.size;) {
    size = ids.size;
    for (const { pid: id, fields } of stats) if (fields !== null && ids.has(fields[1] ?? -1)) ids.add(id);
  }
  let ticks = 0;
  for (const { pid: id, fields } of stats)
    // User, system, and the same of children that have ended.
    if (ids.has(id)) ticks += (fields?.slice(11, 15) ?? []).reduce((sum, each) => sum + each, 0);
  return (ticks / ticksPerSecond) * 1000;
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
