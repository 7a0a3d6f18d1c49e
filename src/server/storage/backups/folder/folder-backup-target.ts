import { createHash, randomUUID, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { codeOf } from '#base/errors/code-of.ts';
import {
  keyOfContent,
  setAsideKeyOf,
  type BackupTarget,
  type BackupSource,
  type StoredBytes,
} from '#server/storage/backups/backup-target.ts';
import { isMissing, writeAll } from '#server/storage/blobs/disk/durable-files.ts';
import { syncDirectory } from '#server/storage/sync-directory.ts';
import { makeFolder } from '#server/storage/make-folder.ts';

const keyPattern = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/;
/** Keys never start with a dot. */
const unfinishedFolder = '.unfinished';
const readPieceBytes = 256 * 1024;

/** Stores backups as files below a folder. */
class FolderBackupTarget implements BackupTarget {
  readonly name: string;
  readonly #folder: string;
  /** Folders below it that exist durably. */
  readonly #folders = new Set<string>();

  constructor(folder: string) {
    this.name = folder;
    this.#folder = resolve(folder);
  }

  async freeBytes(): Promise<number | null> {
    try {
      const { bavail, bsize } = await statfs(this.#folder);
      return bavail * bsize;
    } catch {
      return null;
    }
  }

  async clean(): Promise<void> {
    await rm(join(this.#folder, unfinishedFolder), { recursive: true, force: true });
  }

  async sizeOf(key: string): Promise<number | null> {
    try {
      const found = await stat(this.#pathOf(key));
      return found.isFile() ? found.size : null;
    } catch (error) {
      if (isMissing(error) || codeOf(error) === 'ENOTDIR') return null;
      throw error;
    }
  }

  async list(prefix: string): Promise<string[]> {
    try {
      return await readdir(this.#pathOf(prefix.slice(0, -1)));
    } catch (error) {
      if (isMissing(error) || codeOf(error) === 'ENOTDIR') return [];
      throw error;
    }
  }

  read(key: string): Readable {
    return createReadStream(this.#pathOf(key), { highWaterMark: readPieceBytes });
  }

  write(key: string, source: BackupSource): Promise<StoredBytes> {
    const path = this.#pathOf(key);
    return this.#writeAside(source, async (unfinished) => this.#publish(unfinished, path));
  }

  async store(source: BackupSource): Promise<StoredBytes & { isNew: boolean }> {
    let isNew = true;
    const stored = await this.#writeAside(source, async (unfinished, { sha256, sizeBytes }) => {
      const key = keyOfContent(sha256);
      isNew = (await this.sizeOf(key)) !== sizeBytes;
      await (isNew ? this.#publish(unfinished, this.#pathOf(key)) : rm(unfinished));
    });
    return { ...stored, isNew };
  }

  async setAside(key: string): Promise<void> {
    const path = this.#pathOf(key);
    try {
      await rename(path, this.#pathOf(setAsideKeyOf(key)));
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    await syncDirectory(dirname(path));
  }

  async remove(keyOrPrefix: string): Promise<void> {
    const isPrefix = keyOrPrefix.endsWith('/');
    const path = this.#pathOf(isPrefix ? keyOrPrefix.slice(0, -1) : keyOrPrefix);
    await rm(path, { recursive: isPrefix, force: true });
    if (isPrefix) this.#folders.clear();
  }

  close(): void {
    // A folder has no connections.
  }

  #pathOf(key: string): string {
    if (!keyPattern.test(key))
      throw new TypeError(`not a key of a backup: ${JSON.stringify(key.slice(0, 80))}`);
    return join(this.#folder, key);
  }

  async #writeAside(
    source: BackupSource,
    finish: (path: string, stored: StoredBytes) => Promise<void>,
  ): Promise<StoredBytes> {
    await makeFolder(join(this.#folder, unfinishedFolder), { mode: 0o700 });
    const path = join(this.#folder, unfinishedFolder, randomUUID());
    try {
      const stored = await writeHashed(path, source);
      await finish(path, stored);
      return stored;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async #publish(unfinished: string, path: string): Promise<void> {
    await this.#makeDurableFolder(dirname(path));
    await rename(unfinished, path);
    await syncDirectory(dirname(path));
  }

  /** Creates a folder and those above it, so that they survive a power cut. */
  async #makeDurableFolder(path: string): Promise<void> {
    if (path === this.#folder || this.#folders.has(path)) return;
    await this.#makeDurableFolder(dirname(path));
    await makeFolder(path, { mode: 0o700 });
    await syncDirectory(dirname(path));
    this.#folders.add(path);
  }
}

async function writeHashed(path: string, source: BackupSource): Promise<StoredBytes> {
  const hash: Hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let sizeBytes = 0;
  try {
    for await (const piece of source) {
      hash.update(piece);
      await writeAll(file, piece, sizeBytes);
      sizeBytes += piece.byteLength;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/** Opens a folder as a target of backups. It is created by the first write. */
export async function openFolderBackupTarget(
  folder: string,
  { create }: { create: boolean },
): Promise<BackupTarget> {
  if (create) await makeFolder(folder, { mode: 0o700 });
  else await readdir(folder);
  return new FolderBackupTarget(folder);
}
