import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, ftruncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (program: string, args: string[]) =>
  execFileSync(program, args, {
    stdio: 'pipe',
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` },
  });

/** A separate disk whose power can be cut: an ext4 file system in a file. */
export class LoopDisk {
  readonly directory: string;
  readonly #home: string;
  #image: string;
  #copies = 0;
  #isMounted = false;

  private constructor(home: string) {
    this.#home = home;
    this.directory = join(home, 'disk');
    this.#image = join(home, 'image-0');
    mkdirSync(this.directory);
  }

  /**
   * Creates and mounts a disk of 512 MB, from an image if given. Returns the reason if this machine does not allow
   * it.
   */
  static open(image?: string): LoopDisk | string {
    if (process.getuid?.() !== 0) return 'only root can mount a disk image';
    const disk = new LoopDisk(mkdtempSync(join(tmpdir(), 'earshot-disk-')));
    try {
      if (image === undefined) {
        const file = openSync(disk.#image, 'w');
        ftruncateSync(file, 512 * 1024 * 1024);
        closeSync(file);
        run('mkfs.ext4', ['-q', '-F', disk.#image]);
      } else {
        run('cp', ['--sparse=always', image, disk.#image]);
      }
      disk.#mount();
      return disk;
    } catch (error) {
      rmSync(disk.#home, { recursive: true, force: true });
      return `this machine mounts no disk image: ${String(error).split('\n')[0]}`;
    }
  }

  #mount(): void {
    run('mount', ['-o', 'loop', this.#image, this.directory]);
    this.#isMounted = true;
  }

  /** Copies what is on the disk at this moment, without caches. Call it while nothing writes. */
  snapshot(): string {
    this.#copies += 1;
    const copy = join(this.#home, `image-${this.#copies}`);
    run('cp', ['--sparse=always', this.#image, copy]);
    return copy;
  }

  /** Replaces the disk by a snapshot, repaired as at a computer's start. */
  restartFrom(snapshot: string): void {
    this.unmount();
    try {
      run('e2fsck', ['-f', '-y', snapshot]);
    } catch (error) {
      // 1 means that errors were corrected, as intended.
      if (!(error instanceof Error && 'status' in error && Number(error.status) <= 1)) throw error;
    }
    this.#image = snapshot;
    this.#mount();
  }

  unmount(): void {
    if (this.#isMounted) run('umount', ['-l', this.directory]);
    this.#isMounted = false;
  }

  dispose(): void {
    this.unmount();
    rmSync(this.#home, { recursive: true, force: true });
  }
}
