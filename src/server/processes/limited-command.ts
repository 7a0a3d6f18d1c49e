import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { second } from '#base/duration.ts';

/** What a child process that reads foreign bytes may use up before the system ends it. */
export interface ProcessLimits {
  memoryBytes: number;
  cpuMs: number;
}

interface Command {
  program: string;
  args: string[];
}

/** Whether a path leads to a program that may be run. */
export function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a program on a search path; null where there is none. Folders that are relative are left out. */
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

/** Between the signal that a program may still answer (SIGXCPU) and the one that it cannot (SIGKILL). */
const graceSeconds = 5;

/**
 * A command under limits of the system: memory that is really used (reserved addresses do not count),
 * processor time, no file to write, no image of its memory left behind. Where there is no `prlimit`
 * (util-linux) the command runs without them; its caller's clock holds everywhere.
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
 * Where programs and their libraries are found; nothing else of this process's environment, which holds its
 * secrets.
 */
export function bareEnvironment(): Record<string, string> {
  const passed = ['PATH', 'LD_LIBRARY_PATH'].map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(passed.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
