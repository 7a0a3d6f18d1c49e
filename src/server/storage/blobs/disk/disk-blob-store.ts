import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import {
  type Append,
  type BlobNote,
  BlobFencedError,
  BlobOffsetError,
  type BlobHead,
  type BlobStore,
  type BlobTail,
  type ByteRange,
  type DiskSpace,
  type LocalFile,
  sealedEpoch,
} from '#server/storage/blobs/blob-store.ts';
import { parseBlobKey } from '#server/storage/blobs/blob-key.ts';
import { DescriptorCache, type OpenBlob, type OpenFile } from './descriptor-cache.ts';
import { dropNote, isNoteDue, readNoteFile, writeNote } from './note-file.ts';
import { fileSystemSpace } from '#server/storage/blobs/file-system-space.ts';
import { syncDirectory } from '#server/storage/sync-directory.ts';
import { makeFolder } from '#server/storage/make-folder.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import { KeyedQueue } from '#base/keyed-queue.ts';
import { asSpaceError, isMissing, readRange, syncDirectoriesAbove, writeAll } from './durable-files.ts';

const streamPieceBytes = 256 * 1024;
/** A thousand simultaneous takes have two growing blobs each. */
const openFilesUsually = 2048;
/** Epochs of blobs that were written recently. The database has those of all. */
const rememberedEpochs = 65_536;
/** Notes of blobs that were written recently. The files have those of all, at most one lag old. */
const rememberedNotes = 16_384;
/** Keys never start with a dot, so this folder never contains a stored blob. */
const unfinishedFolder = '.unfinished';

export interface DiskBlobStoreOptions {
  directory: string;
  /** Opens a blob's file for reading and writing; tests make it fail like a full disk. */
  openFile?: OpenFile;
  /** Opens the store read-only next to a running server: nothing is created or deleted. */
  isReader?: boolean;
  /** How many idle files may stay open. */
  openFiles?: number;
}

/**
 * Stores blobs as files below one directory. Only one process may write. A resolved promise means that the file
 * and its directory entries are synced.
 */
class DiskBlobStore implements BlobStore {
  readonly hasOtherWriters = false;
  readonly #directory: string;
  readonly #locks = new KeyedQueue();
  readonly #files: DescriptorCache;
  readonly #epochs = new BoundedMap<string, number>(rememberedEpochs);
  /** The notes of the last appends, which are written when the store closes. Each replaces that of its file. */
  readonly #newestNotes = new BoundedMap<string, BlobNote>(rememberedNotes);

  constructor(options: DiskBlobStoreOptions) {
    this.#directory = options.directory;
    this.#files = new DescriptorCache({
      openFile: options.openFile ?? ((path) => open(path, options.isReader === true ? 'r' : 'r+')),
      capacity: options.openFiles ?? openFilesUsually,
    });
  }

  create(key: string): Promise<void> {
    const path = this.#pathOf(key);
    return this.#locks.run(key, async () => {
      try {
        await makeFolder(dirname(path));
        const handle = await open(path, 'a');
        try {
          await handle.sync();
        } finally {
          await handle.close();
        }
        await syncDirectoriesAbove(path, this.#directory);
      } catch (error) {
        throw asSpaceError(error);
      }
    });
  }

  async head(key: string): Promise<BlobHead | null> {
    const path = this.#pathOf(key);
    try {
      const { size, mtimeMs } = await stat(path);
      return { sizeBytes: this.#files.peek(key)?.sizeBytes ?? size, changedAtMs: Math.trunc(mtimeMs) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  append(key: string, { offsetBytes, bytes, epoch, note }: Append): Promise<number> {
    return this.#change(key, async (blob) => {
      if (offsetBytes !== blob.sizeBytes) throw new BlobOffsetError(blob.sizeBytes);
      this.#raiseEpoch(key, epoch);
      blob.torn = true;
      await writeAll(blob.handle, bytes, offsetBytes);
      await blob.handle.datasync();
      blob.torn = false;
      blob.sizeBytes += bytes.byteLength;
      if (note !== undefined)
        await this.#keepNote(key, { beforeBytes: offsetBytes, atBytes: blob.sizeBytes, bytes: note });
      return blob.sizeBytes;
    });
  }

  fence(key: string, epoch: number, expected?: { sizeBytes: number }): Promise<void> {
    return this.#change(key, async (blob) => {
      if (expected !== undefined && expected.sizeBytes !== blob.sizeBytes)
        throw new BlobOffsetError(blob.sizeBytes);
      this.#epochs.set(key, Math.max(epoch, this.#epochs.get(key) ?? 0));
      if (epoch >= sealedEpoch) await this.#dropNote(key);
    });
  }

  async tail(key: string): Promise<BlobTail | null> {
    const path = this.#pathOf(key);
    return this.#locks.run(key, async () => {
      const head = await this.head(key);
      if (head === null) return null;
      const note = await readNoteFile(path);
      return { sizeBytes: head.sizeBytes, note: note && note.atBytes <= head.sizeBytes ? note : null };
    });
  }

  read(key: string, range: ByteRange): Promise<Uint8Array> {
    return this.#files.use(key, this.#pathOf(key), (blob) => {
      const end = Math.min(range.endByteExclusive, blob.sizeBytes);
      return readRange(blob.handle, range.startByte, Math.max(0, end - range.startByte));
    });
  }

  stream(key: string, range: ByteRange): Readable {
    const path = this.#pathOf(key);
    const end = Math.min(
      range.endByteExclusive,
      this.#files.peek(key)?.sizeBytes ?? Number.POSITIVE_INFINITY,
    );
    if (end <= range.startByte) return Readable.from([]);
    return createReadStream(path, { start: range.startByte, end: end - 1, highWaterMark: streamPieceBytes });
  }

  async localFile(key: string): Promise<LocalFile> {
    const path = this.#pathOf(key);
    await access(path, constants.R_OK);
    return { path, release: async () => undefined };
  }

  put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(key);
    return this.#locks.run(key, async () => {
      const unfinished = join(this.#directory, unfinishedFolder, randomUUID());
      try {
        await this.#writeUnfinished(unfinished, bytes);
        await makeFolder(dirname(path));
        await this.#dropNote(key);
        await rename(unfinished, path);
        await syncDirectoriesAbove(path, this.#directory);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw asSpaceError(error);
      } finally {
        // An open descriptor would still read the old bytes.
        await this.#files.drop(key);
        this.#epochs.delete(key);
      }
    });
  }

  move(fromKey: string, toKey: string): Promise<void> {
    const [from, to] = [this.#pathOf(fromKey), this.#pathOf(toKey)];
    return this.#locks.run(fromKey, () =>
      this.#locks.run(toKey, async () => {
        await this.#files.drop(fromKey);
        try {
          await makeFolder(dirname(to));
          await this.#dropNote(fromKey);
          await this.#dropNote(toKey);
          await rename(from, to);
          await syncDirectoriesAbove(to, this.#directory);
          await this.#syncWhereStillThere(dirname(from));
        } catch (error) {
          throw asSpaceError(error);
        } finally {
          await this.#files.drop(toKey);
          for (const key of [fromKey, toKey]) this.#epochs.delete(key);
        }
      }),
    );
  }

  truncate(key: string, sizeBytes: number): Promise<void> {
    return this.#change(key, async (blob) => {
      if (!(sizeBytes >= 0 && sizeBytes <= blob.sizeBytes))
        throw new RangeError(`a blob of ${blob.sizeBytes} bytes cannot be cut to ${sizeBytes}`);
      // A note of bytes that were cut must not describe those that follow, not even after a power cut.
      if (await this.#dropNote(key)) await syncDirectory(dirname(this.#pathOf(key)));
      await blob.handle.truncate(sizeBytes);
      blob.sizeBytes = sizeBytes;
      await blob.handle.sync();
    });
  }

  async remove(keyOrPrefix: string): Promise<void> {
    if (!keyOrPrefix.endsWith('/')) return this.#removeOne(keyOrPrefix);
    const path = this.#pathOf(keyOrPrefix.slice(0, -1));
    for (const key of this.#files.keys((open) => open.startsWith(keyOrPrefix)))
      await this.#locks.run(key, () => this.#files.drop(key));
    this.#epochs.deleteWhere((_, key) => key.startsWith(keyOrPrefix));
    this.#newestNotes.deleteWhere((_, key) => key.startsWith(keyOrPrefix));
    await rm(path, { recursive: true, force: true });
    await this.#syncWhereStillThere(dirname(path));
  }

  space(): Promise<DiskSpace> {
    return fileSystemSpace(this.#directory);
  }

  async ping(): Promise<void> {
    const path = join(this.#directory, unfinishedFolder, randomUUID());
    try {
      await this.#writeUnfinished(path, Uint8Array.of(1));
    } finally {
      await rm(path, { force: true });
    }
  }

  pingAll(): Promise<void> {
    return this.ping();
  }

  /** Writes the newest notes, so that the next process trusts every acknowledged byte, and closes the files. */
  async close(): Promise<void> {
    for (const [key, note] of this.#newestNotes.entries())
      await this.#locks.run(key, async () => {
        if (this.#newestNotes.get(key) === note) await writeNote(this.#pathOf(key), note);
      });
    this.#newestNotes.deleteWhere(() => true);
    await this.#files.close();
  }

  #pathOf(key: string): string {
    return join(this.#directory, parseBlobKey(key));
  }

  #raiseEpoch(key: string, epoch: number | undefined): void {
    const current = this.#epochs.get(key) ?? 0;
    if (current === sealedEpoch || (epoch !== undefined && epoch < current))
      throw new BlobFencedError(current);
    if (epoch !== undefined && epoch > current) this.#epochs.set(key, epoch);
  }

  /** Runs one change per blob at a time. A failed change leaves the blob at its acknowledged size. */
  #change<T>(key: string, work: (blob: OpenBlob) => Promise<T>): Promise<T> {
    const path = this.#pathOf(key);
    return this.#locks.run(key, () =>
      this.#files.use(key, path, async (blob) => {
        try {
          if (blob.torn) await this.#cutTornTail(blob);
          return await work(blob);
        } catch (error) {
          if (blob.torn) await this.#cutTornTail(blob).catch(() => undefined);
          throw asSpaceError(error);
        }
      }),
    );
  }

  /** Writes a note when it is due, and remembers it otherwise. */
  async #keepNote(key: string, { beforeBytes, ...note }: BlobNote & { beforeBytes: number }): Promise<void> {
    if (isNoteDue({ beforeBytes, atBytes: note.atBytes })) {
      this.#newestNotes.delete(key);
      await writeNote(this.#pathOf(key), note);
    } else this.#newestNotes.set(key, note);
  }

  /** Deletes the note of a blob, whose bytes change or get no more. Returns whether a file had one. */
  #dropNote(key: string): Promise<boolean> {
    this.#newestNotes.delete(key);
    return dropNote(this.#pathOf(key));
  }

  async #cutTornTail(blob: OpenBlob): Promise<void> {
    await blob.handle.truncate(blob.sizeBytes);
    await blob.handle.sync();
    blob.torn = false;
  }

  async #removeOne(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await this.#locks.run(key, async () => {
      await this.#files.drop(key);
      this.#epochs.delete(key);
      await this.#dropNote(key);
      await rm(path, { force: true });
      await this.#syncWhereStillThere(dirname(path));
    });
  }

  async #syncWhereStillThere(directory: string): Promise<void> {
    try {
      await syncDirectory(directory);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async #writeUnfinished(path: string, bytes: Uint8Array): Promise<void> {
    const handle = await open(path, 'wx');
    try {
      await writeAll(handle, bytes, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

/**
 * Opens a directory as a blob store, creates it if missing and deletes files that a crash left unfinished.
 * @throws Error when the directory cannot be created or written
 */
export async function openDiskBlobStore(options: DiskBlobStoreOptions): Promise<BlobStore> {
  const directory = resolve(options.directory);
  if (options.isReader === true) return new DiskBlobStore({ ...options, directory });
  await makeFolder(directory);
  await rm(join(directory, unfinishedFolder), { recursive: true, force: true });
  await makeFolder(join(directory, unfinishedFolder));
  await syncDirectory(dirname(directory));
  const store = new DiskBlobStore({ ...options, directory });
  await store.ping();
  return store;
}
