import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { second } from '#base/duration.ts';

/** The limits at which the system ends a child process that reads untrusted bytes. */
export interface ProcessLimits {
  memoryBytes: number;
  cpuMs: number;
}

interface Command {
  program: string;
  args: string[];
}

/** Returns whether a path is an executable program. */
export function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a program on a search path; null if there is none. Relative folders are ignored. */
export function findProgram(name: string, searchPath: string): string | null {
  return (
    searchPath
      .split(delimiter)
      .filter((folder) => isAbsolute(folder))
      .map((folder) => join(folder, name))
      .find(isRunnable) ?? null
  );
}

let foundPrlimit: { path: string | null } | null = null;
const findPrlimit = (): string | null =>
  (foundPrlimit ??= {
    path: findProgram('prlimit', [process.env['PATH'] ?? '', '/usr/bin', '/bin'].join(delimiter)),
  }).path;

/** The time between the signal that a program can handle (SIGXCPU) and the one that it cannot (SIGKILL). */
const graceSeconds = 5;

/**
 * Wraps a command in system limits: memory in use (reserved addresses do not count), processor time, no file
 * output, no core dump. Without `prlimit` (util-linux) the command runs unlimited; the caller's timeout applies in
 * any case.
 */
export function limitedCommand(
  program: string,
  args: readonly string[],
  { memoryBytes, cpuMs }: ProcessLimits,
): Command {
  const limiter = findPrlimit();
  if (limiter === null) return { program, args: [...args] };
  const cpuSeconds = Math.ceil(cpuMs / second);
  return {
    program: limiter,
    args: [
      `--data=${memoryBytes}`,
      `--cpu=${cpuSeconds}:${cpuSeconds + graceSeconds}`,
      '--fsize=0',
      '--core=0',
      program,
      ...args,
    ],
  };
}

/**
 * Returns only the variables with which programs and libraries are found. The rest of this process's environment
 * contains secrets.
 */
export function bareEnvironment(): Record<string, string> {
  const passed = ['PATH', 'LD_LIBRARY_PATH'].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(passed.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
