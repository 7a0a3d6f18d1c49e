import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

export interface CommandResult {
  status: number | null;
  output: string;
  timedOut: boolean;
}

export interface CommandOptions {
  /** Ends the command after this time. Without it, the command may take as long as it needs. */
  timeoutMs?: number;
  /** Replaces this process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Text before each line that is printed, such as the time so far. */
  prefix?: () => string;
}

/** How long a command may take to end after SIGTERM before it is killed. */
const killAfterMs = 30_000;
/** The same after Ctrl-C, when a user is waiting. */
const killAfterInterruptMs = 5000;
/**
 * How long output may still arrive after the command ended. A browser that outlives its suite can hold the pipe
 * open for ever.
 */
const lastOutputMs = 2000;

function signalGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    /* the group is gone */
  }
}

/** The process groups of the commands that are running. */
const groups = new Set<number>();
let isInterrupted = false;

/** Ends every command and then this process, which runs its `exit` handlers. */
async function endEverything(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<void> {
  if (isInterrupted) return;
  isInterrupted = true;
  for (const group of groups) signalGroup(group, 'SIGTERM');
  const endsAtMs = performance.now() + killAfterInterruptMs;
  while (groups.size > 0 && performance.now() < endsAtMs) await delay(50);
  for (const group of groups) signalGroup(group, 'SIGKILL');
  process.exit(128 + constants.signals[signal]);
}

let isListening = false;

function endCommandsWithProcess(): void {
  if (isListening) return;
  isListening = true;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      void endEverything(signal);
    });
}

/** Passes text on line by line, each with its prefix. */
function linePrinter(prefix: () => string): { print: (text: string) => void; flush: () => void } {
  let rest = '';
  return {
    print(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) process.stdout.write(line === '' ? '\n' : `${prefix()}${line}\n`);
    },
    flush() {
      if (rest !== '') process.stdout.write(`${prefix()}${rest}\n`);
      rest = '';
    },
  };
}

/**
 * Runs a command in a separate process group, prints its output and returns it. The whole group is ended after
 * `timeoutMs`, and when this process is interrupted.
 */
export async function runCommand(
  [program = '', ...args]: string[],
  { timeoutMs = Infinity, env = process.env, prefix = () => '' }: CommandOptions = {},
): Promise<CommandResult> {
  endCommandsWithProcess();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env });
  const { pid } = child;
  if (pid !== undefined) groups.add(pid);
  let output = '';
  let timedOut = false;
  const printers = [child.stdout, child.stderr].map((stream) => {
    const printer = linePrinter(prefix);
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      printer.print(text);
    });
    return printer;
  });
  const timers = Number.isFinite(timeoutMs)
    ? [
        setTimeout(() => {
          timedOut = true;
          signalGroup(pid, 'SIGTERM');
        }, timeoutMs),
        setTimeout(() => {
          signalGroup(pid, 'SIGKILL');
        }, timeoutMs + killAfterMs),
      ]
    : [];
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
  });
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += String(error);
      resolve(null);
    });
    child.once('exit', (code) => {
      resolve(code);
    });
  });
  for (const timer of timers) clearTimeout(timer);
  await Promise.race([closed, delay(lastOutputMs, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  for (const printer of printers) printer.flush();
  signalGroup(pid, 'SIGKILL');
  if (pid !== undefined) groups.delete(pid);
  return { status, output, timedOut };
}
