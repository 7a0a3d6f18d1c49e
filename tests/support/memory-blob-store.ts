import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type Append,
  BlobFencedError,
  type BlobNote,
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

interface Stored {
  bytes: Buffer;
  changedAtMs: number;
  epoch: number;
  note: BlobNote | null;
}

const missing = (key: string): Error => new Error(`no such blob: ${key}`);

/**
 * Stores blobs in a map, for tests with more steps than a disk can run quickly. It implements the whole port
 * except what concerns a real disk.
 */
export class MemoryBlobStore implements BlobStore {
  readonly hasOtherWriters: boolean;
  readonly #blobs: Map<string, Stored>;

  /**
   * @param options.from another store whose blobs to share, as a new process finds them
   * @param options.hasOtherWriters whether several servers use it at once
   */
  constructor({ from, hasOtherWriters = false }: { from?: MemoryBlobStore; hasOtherWriters?: boolean } = {}) {
    this.#blobs = from === undefined ? new Map() : from.#blobs;
    this.hasOtherWriters = hasOtherWriters;
  }

  async create(key: string): Promise<void> {
    if (!this.#blobs.has(parseBlobKey(key))) this.#set(key, Buffer.alloc(0));
  }

  async head(key: string): Promise<BlobHead | null> {
    const stored = this.#blobs.get(parseBlobKey(key));
    return stored === undefined ? null : { sizeBytes: stored.bytes.length, changedAtMs: stored.changedAtMs };
  }

  async append(key: string, { offsetBytes, bytes, epoch, note }: Append): Promise<number> {
    const stored = this.#storedAt(key);
    if (offsetBytes !== stored.bytes.length) throw new BlobOffsetError(stored.bytes.length);
    if (stored.epoch === sealedEpoch || (epoch ?? stored.epoch) < stored.epoch)
      throw new BlobFencedError(stored.epoch);
    const atBytes = offsetBytes + bytes.length;
    this.#blobs.set(key, {
      bytes: Buffer.concat([stored.bytes, bytes]),
      changedAtMs: Date.now(),
      epoch: epoch ?? stored.epoch,
      note: note === undefined ? stored.note : { atBytes, bytes: note },
    });
    return atBytes;
  }

  async fence(key: string, epoch: number, expected?: { sizeBytes: number }): Promise<void> {
    const stored = this.#storedAt(key);
    if (expected !== undefined && expected.sizeBytes !== stored.bytes.length)
      throw new BlobOffsetError(stored.bytes.length);
    stored.epoch = Math.max(stored.epoch, epoch);
  }

  async tail(key: string): Promise<BlobTail | null> {
    const stored = this.#blobs.get(parseBlobKey(key));
    return stored === undefined ? null : { sizeBytes: stored.bytes.length, note: stored.note };
  }

  async read(key: string, { startByte, endByteExclusive }: ByteRange): Promise<Uint8Array> {
    return Uint8Array.from(this.#bytesOf(key).subarray(startByte, endByteExclusive));
  }

  stream(key: string, range: ByteRange): Readable {
    parseBlobKey(key);
    return Readable.from(this.#pieces(key, range));
  }

  async localFile(key: string): Promise<LocalFile> {
    const bytes = this.#bytesOf(parseBlobKey(key));
    const directory = await mkdtemp(join(tmpdir(), 'earshot-blob-'));
    const path = join(directory, 'blob');
    await writeFile(path, bytes);
    return { path, release: () => rm(directory, { recursive: true, force: true }) };
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.#set(parseBlobKey(key), Buffer.from(bytes));
  }

  async move(fromKey: string, toKey: string): Promise<void> {
    this.#set(parseBlobKey(toKey), this.#bytesOf(fromKey));
    this.#blobs.delete(fromKey);
  }

  async truncate(key: string, sizeBytes: number): Promise<void> {
    const present = this.#bytesOf(key);
    if (sizeBytes < 0 || sizeBytes > present.length)
      throw new RangeError(`a blob of ${present.length} bytes cannot be cut to ${sizeBytes}`);
    const { epoch } = this.#storedAt(key);
    this.#set(key, Buffer.from(present.subarray(0, sizeBytes)));
    this.#storedAt(key).epoch = epoch;
  }

  async remove(keyOrPrefix: string): Promise<void> {
    const isPrefix = keyOrPrefix.endsWith('/');
    const name = parseBlobKey(isPrefix ? keyOrPrefix.slice(0, -1) : keyOrPrefix);
    if (!isPrefix) this.#blobs.delete(name);
    else for (const key of this.#blobs.keys()) if (key.startsWith(keyOrPrefix)) this.#blobs.delete(key);
  }

  async space(): Promise<DiskSpace> {
    return { freeBytes: 2 ** 40, totalBytes: 2 ** 40 };
  }

  async ping(): Promise<void> {}

  async pingAll(): Promise<void> {}

  async close(): Promise<void> {}

  #set(key: string, bytes: Buffer): void {
    this.#blobs.set(key, { bytes, changedAtMs: Date.now(), epoch: 0, note: null });
  }

  #storedAt(key: string): Stored {
    const stored = this.#blobs.get(parseBlobKey(key));
    if (stored === undefined) throw missing(key);
    return stored;
  }

  #bytesOf(key: string): Buffer {
    return this.#storedAt(key).bytes;
  }

  async *#pieces(key: string, range: ByteRange): AsyncGenerator<Uint8Array> {
    const bytes = await this.read(key, range);
    const pieceBytes = 256 * 1024;
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
  }
}
