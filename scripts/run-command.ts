import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface CommandResult {
  status: number | null;
  output: string;
  timedOut: boolean;
}

/** How long a command may take to end after SIGTERM before it is killed. */
const killAfterMs = 30_000;
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

/**
 * Runs a command in a separate process group, prints its output and returns it. Ends the whole group after
 * `timeoutMs`.
 */
export async function runCommand(
  [program = '', ...args]: string[],
  { timeoutMs }: { timeoutMs: number },
): Promise<CommandResult> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  let timedOut = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
  }
  const timer = setTimeout(() => {
    timedOut = true;
    signalGroup(child.pid, 'SIGTERM');
  }, timeoutMs);
  const killTimer = setTimeout(() => {
    signalGroup(child.pid, 'SIGKILL');
  }, timeoutMs + killAfterMs);
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
  clearTimeout(timer);
  clearTimeout(killTimer);
  await Promise.race([closed, delay(lastOutputMs, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  signalGroup(child.pid, 'SIGKILL');
  return { status, output, timedOut };
}
