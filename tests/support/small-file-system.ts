import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallFileSystem {
  directory: string;
  unmount: () => void;
}

/** Mounts a file system of a few megabytes, or returns the reason why that is impossible. */
export function smallFileSystem(megabytes: number): SmallFileSystem | string {
  if (process.getuid?.() !== 0) return 'only root can mount a small file system';
  const directory = mkdtempSync(join(tmpdir(), 'earshot-small-'));
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    return `this machine lets nobody mount: ${String(error).split('\n')[0]}`;
  }
  return {
    directory,
    unmount: () => {
      execFileSync('/bin/umount', ['-l', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Fills a file system except for `leftBytes`, or all of it if another program writes at the same time. Deleting the file
 * at the returned path frees the space.
 */
export function fillUp(directory: string, leftBytes = 0): string {
  const path = join(directory, 'filler');
  const { bavail, bsize } = statfsSync(directory);
  try {
    writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes), 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return path;
}
