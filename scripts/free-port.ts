import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Outgoing connections use ports from 32768 up (Linux), so a server can restart on a lower port. */
const lowest = 20_000;
const highest = 32_000;

/**
 * Contains one file per port that a running process has claimed. Without it, two processes could choose the same
 * port before either listens.
 */
const claimsDirectory = join(tmpdir(), 'earshot-ports');
const claimed = new Set<string>();

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Claims a port for this process until it exits. Returns false if another process has claimed it, and removes the
 * claim of a process that has ended.
 */
function claim(port: number): boolean {
  const file = join(claimsDirectory, String(port));
  mkdirSync(claimsDirectory, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    try {
      if (!isRunning(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true });
    } catch {
      /* the file is gone */
    }
    return false;
  }
  if (claimed.size === 0)
    process.once('exit', () => {
      for (const name of claimed) rmSync(name, { force: true });
    });
  claimed.add(file);
  return true;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () =>
      probe.close(() => {
        resolve(true);
      }),
    );
  });

/** Returns a port of 127.0.0.1 on which nothing listens and which no other caller gets while this process runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (claim(port) && (await isFree(port))) return port;
  }
}
