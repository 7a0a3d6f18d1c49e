import type { Readable } from 'node:stream';
import { BatchedReads } from '#base/batched-reads.ts';
import {
  type Append,
  BlobFencedError,
  type BlobHead,
  BlobOffsetError,
  type BlobStore,
  type BlobTail,
  type ByteRange,
  type DiskSpace,
  type LocalFile,
  type MovingFigures,
  type ObjectRequests,
  sealedEpoch,
} from '#server/storage/blobs/blob-store.ts';
import { parseBlobKey } from '#server/storage/blobs/blob-key.ts';
import type { AppendBatcher } from './append-batcher.ts';
import type { BlobChanges } from './blob-changes.ts';
import type { BlobReader } from './blob-reader.ts';
import { type BlobRow, findBlobs, missingBlob } from './blob-rows.ts';
import type { HotDatabase } from './hot-database.ts';
import type { HotLimit } from './hot-limit.ts';
import type { ScratchFiles } from './scratch-files.ts';

/** How often an append is repeated whose row another batch was changing. */
const maxTries = 5;

export interface TieredBlobStoreParts {
  database: HotDatabase;
  batcher: AppendBatcher;
  changes: BlobChanges;
  reader: BlobReader;
  limit: HotLimit;
  /** A blob of up to this size is put into rows. */
  inlineBytes: number;
  scratch: ScratchFiles;
  hasLostObjects: () => Promise<boolean>;
  /** Resolves when the object store responds. */
  pingObjects: () => Promise<void>;
  requests: () => readonly ObjectRequests[];
  /** Stops work in the background and closes the object store. */
  stop: () => Promise<void>;
}

/**
 * Stores the newest bytes of each blob as rows of PostgreSQL and all others as immutable objects (decision 0090). Any
 * number of servers may use the same database and bucket. Appends need the database alone.
 */
export class TieredBlobStore implements BlobStore {
  readonly hasOtherWriters = true;
  readonly #parts: TieredBlobStoreParts;
  readonly #blobs: BatchedReads<BlobRow>;

  constructor(parts: TieredBlobStoreParts) {
    this.#parts = parts;
    this.#blobs = new BatchedReads((keys) => findBlobs(parts.database, keys));
  }

  /** Whether the bucket has none of the objects that the rows name. False while the object store does not respond. */
  hasLostObjects(): Promise<boolean> {
    return this.#parts.hasLostObjects();
  }

  async create(key: string): Promise<void> {
    await this.#parts.changes.create(parseBlobKey(key));
  }

  async head(key: string): Promise<BlobHead | null> {
    const blob = await this.#blobs.read(parseBlobKey(key));
    return blob === undefined ? null : { sizeBytes: blob.sizeBytes, changedAtMs: blob.changedAtMs };
  }

  async tail(key: string): Promise<BlobTail | null> {
    const blob = await this.#blobs.read(parseBlobKey(key));
    if (blob === undefined) return null;
    const { sizeBytes, note, noteAt } = blob;
    return { sizeBytes, note: note === null || noteAt === null ? null : { atBytes: noteAt, bytes: note } };
  }

  async append(key: string, append: Append): Promise<number> {
    parseBlobKey(key);
    const { offsetBytes, bytes, epoch } = append;
    if (bytes.byteLength > 0) this.#parts.limit.admit(bytes.byteLength);
    for (let tries = 0; tries < maxTries; tries += 1) {
      if (bytes.byteLength > 0 && (await this.#parts.batcher.store(key, append)))
        return offsetBytes + bytes.byteLength;
      const blob = await this.#blobs.read(key);
      if (blob === undefined) throw missingBlob(key);
      if (blob.sizeBytes !== offsetBytes) throw new BlobOffsetError(blob.sizeBytes);
      if (blob.epoch === sealedEpoch || (epoch ?? blob.epoch) < blob.epoch)
        throw new BlobFencedError(blob.epoch);
      if (bytes.byteLength === 0) return blob.sizeBytes;
    }
    throw new Error(`${key} changed during each attempt to append to it`);
  }

  async fence(key: string, epoch: number, expected?: { sizeBytes: number }): Promise<void> {
    await this.#parts.changes.fence(parseBlobKey(key), epoch, expected?.sizeBytes ?? null);
  }

  async read(key: string, range: ByteRange): Promise<Uint8Array> {
    return this.#parts.reader.read(parseBlobKey(key), range);
  }

  stream(key: string, range: ByteRange): Readable {
    return this.#parts.reader.stream(parseBlobKey(key), range);
  }

  async localFile(key: string): Promise<LocalFile> {
    const head = await this.head(key);
    if (head === null) throw missingBlob(key);
    return this.#parts.scratch.copy(this.#parts.reader.all(key), head.sizeBytes);
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    parseBlobKey(key);
    if (bytes.byteLength <= this.#parts.inlineBytes) this.#parts.limit.admit(bytes.byteLength);
    await this.#parts.changes.put(key, bytes);
  }

  async move(fromKey: string, toKey: string): Promise<void> {
    await this.#parts.changes.move(parseBlobKey(fromKey), parseBlobKey(toKey));
  }

  async truncate(key: string, sizeBytes: number): Promise<void> {
    await this.#parts.changes.truncate(parseBlobKey(key), sizeBytes);
  }

  async remove(keyOrPrefix: string): Promise<void> {
    parseBlobKey(keyOrPrefix.endsWith('/') ? keyOrPrefix.slice(0, -1) : keyOrPrefix);
    await this.#parts.changes.remove(keyOrPrefix);
  }

  /** The space for bytes that wait to be moved. The object store itself has no limit that we know. */
  space(): Promise<DiskSpace> {
    return this.#parts.limit.space();
  }

  async movingFigures(): Promise<MovingFigures> {
    const { database, batcher, limit, requests } = this.#parts;
    return {
      ...(await limit.tails()),
      appendCommits: batcher.commits,
      waitingForConnection: database.appends.waitingCount + database.queries.waitingCount,
      requests: requests(),
    };
  }

  /** Asks the database alone: takes continue while the object store does not respond. */
  async ping(): Promise<void> {
    await this.#parts.database.queries.query('select 1');
  }

  async pingAll(): Promise<void> {
    await Promise.all([this.ping(), this.#parts.pingObjects()]);
  }

  async close(): Promise<void> {
    await this.#parts.stop();
    await this.#parts.scratch.close();
    await this.#parts.database.close();
  }
}
