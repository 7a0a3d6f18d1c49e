import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BlobSpaceError, type LocalFile } from '#server/storage/blobs/blob-store.ts';
import { asSpaceError } from '#server/storage/blobs/disk/durable-files.ts';
import { fileSystemSpace } from '#server/storage/blobs/file-system-space.ts';
import { isProcessRunning } from '#server/storage/is-process-running.ts';
import { makeFolder } from '#server/storage/make-folder.ts';

const namePattern = /^earshot-scratch-(\d+)-/;

/** The folders of stores that are open in this process. */
const ours = new Set<string>();

/** Deletes the folders of processes that have ended. In a container, the one before had the same id. */
async function deleteLeftovers(temporaryFolder: string): Promise<void> {
  for (const name of await readdir(temporaryFolder)) {
    const pid = Number(namePattern.exec(name)?.[1] ?? Number.NaN);
    const folder = join(temporaryFolder, name);
    const isLeft = pid === process.pid ? !ours.has(folder) : !isProcessRunning(pid);
    if (Number.isInteger(pid) && isLeft) await rm(folder, { recursive: true, force: true });
  }
}

/** Copies of blobs for programs that have to seek in a file. They count against the free space of the folder. */
export class ScratchFiles {
  readonly #folder: string;
  /** Bytes of copies that are not yet on the disk, so the file system still reports them as free. */
  #announcedBytes = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Uses a folder of its own below `temporaryFolder`.
   * @param isFirst deletes the folders of processes that have ended
   */
  static async open(temporaryFolder: string, { isFirst }: { isFirst: boolean }): Promise<ScratchFiles> {
    if (isFirst) await deleteLeftovers(temporaryFolder).catch(() => undefined);
    const folder = join(temporaryFolder, `earshot-scratch-${process.pid}-${randomUUID()}`);
    ours.add(folder);
    return new ScratchFiles(folder);
  }

  /**
   * Writes a copy of `sizeBytes` bytes.
   * @throws BlobSpaceError when the disk does not have the space
   */
  async copy(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<LocalFile> {
    await makeFolder(this.#folder, { mode: 0o700 });
    const { freeBytes } = await fileSystemSpace(this.#folder);
    if (freeBytes < this.#announcedBytes + sizeBytes)
      throw new BlobSpaceError(
        new Error(`the disk under ${this.#folder} has no space for a copy of ${sizeBytes} bytes`),
      );
    const path = join(this.#folder, randomUUID());
    this.#announcedBytes += sizeBytes;
    const release = (): Promise<void> => rm(path, { force: true });
    try {
      await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    } catch (error) {
      await release();
      throw asSpaceError(error);
    } finally {
      this.#announcedBytes -= sizeBytes;
    }
    return { path, release };
  }

  /** Deletes the folder, with copies that were not released. */
  async close(): Promise<void> {
    ours.delete(this.#folder);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
