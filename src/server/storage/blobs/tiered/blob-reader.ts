import { Readable } from 'node:stream';
import type { ByteRange } from '#server/storage/blobs/blob-store.ts';
import { ObjectMissingError, type ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { type BlobWithObjects, findWithObjects, missingBlob, readPieces } from './blob-rows.ts';
import type { HotDatabase } from './hot-database.ts';

const streamPieceBytes = 1024 * 1024;
/** How often bytes may move while they are being read. */
const mostTries = 8;

const everything: ByteRange = { startByte: 0, endByteExclusive: Number.MAX_SAFE_INTEGER };

/** Reads blobs from objects and pieces. No transaction is open while the object store is being read. */
export class BlobReader {
  readonly #database: HotDatabase;
  readonly #objects: ObjectStore;

  constructor(database: HotDatabase, objects: ObjectStore) {
    this.#database = database;
    this.#objects = objects;
  }

  /** Reads one range into memory. The result is shorter when the range ends after the blob. */
  async read(key: string, range: ByteRange): Promise<Uint8Array> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const blob = await this.#find(key, range);
      const bytes = await this.#readFrom(blob, {
        startByte: range.startByte,
        endByteExclusive: Math.min(range.endByteExclusive, blob.sizeBytes),
      });
      if (bytes !== null) return bytes;
    }
    throw new Error(`${key} changed during each attempt to read it`);
  }

  /** Streams one range, all of it from the same version of the blob. */
  stream(key: string, range: ByteRange): Readable {
    return Readable.from(this.#pieces(key, range), { objectMode: false });
  }

  /** Reads a blob from its start to the size that it has now, in pieces of up to 1 MiB. */
  all(key: string): AsyncGenerator<Uint8Array> {
    return this.#pieces(key, everything);
  }

  async *#pieces(key: string, range: ByteRange): AsyncGenerator<Uint8Array> {
    let blob = await this.#find(key, range);
    const end = Math.min(range.endByteExclusive, blob.sizeBytes);
    let moves = 0;
    for (let startByte = range.startByte; startByte < end;) {
      const piece = { startByte, endByteExclusive: Math.min(end, startByte + streamPieceBytes) };
      const bytes = await this.#readFrom(blob, piece);
      if (bytes === null) {
        const present = await this.#find(key, range);
        moves += 1;
        if (present.id !== blob.id || present.version !== blob.version || moves > mostTries)
          throw new Error(`${key} changed while it was being read`);
        blob = present;
      } else {
        yield bytes;
        startByte += bytes.byteLength;
        moves = 0;
      }
    }
  }

  async #find(key: string, range: ByteRange): Promise<BlobWithObjects> {
    const blob = await findWithObjects(this.#database.queries, key, range);
    if (blob === null) throw missingBlob(key);
    return blob;
  }

  /** Returns null if bytes were moved or changed after the blob was found. */
  async #readFrom(blob: BlobWithObjects, range: ByteRange): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    const cold = await this.#readCold(blob, range, parts);
    if (cold === null) return null;
    const end = await this.#readHot(blob, { ...range, startByte: cold }, parts);
    const [only] = parts;
    if (end < range.endByteExclusive) return null;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  /** Adds the part of the range that is in objects. Returns where it ends, or null if an object is missing. */
  async #readCold(
    { objects }: BlobWithObjects,
    { startByte, endByteExclusive }: ByteRange,
    parts: Uint8Array[],
  ): Promise<number | null> {
    let at = startByte;
    for (const { atByte, sizeBytes, name } of objects) {
      const end = Math.min(endByteExclusive, atByte + sizeBytes);
      if (atByte > at || end <= at) continue;
      try {
        parts.push(await this.#objects.get(name, { startByte: at - atByte, endByteExclusive: end - atByte }));
      } catch (error) {
        if (error instanceof ObjectMissingError) return null;
        throw error;
      }
      at = end;
    }
    return at;
  }

  /** Adds the part of the range that is in rows. Returns where it ends. */
  async #readHot(
    blob: BlobWithObjects,
    { startByte, endByteExclusive }: ByteRange,
    parts: Uint8Array[],
  ): Promise<number> {
    let at = startByte;
    if (at >= endByteExclusive) return at;
    for (const { atByte, bytes } of await readPieces(this.#database.queries, blob, {
      startByte,
      endByteExclusive,
    })) {
      const end = Math.min(endByteExclusive, atByte + bytes.byteLength);
      if (atByte > at) return at;
      if (end <= at) continue;
      parts.push(bytes.subarray(at - atByte, end - atByte));
      at = end;
    }
    return at;
  }
}
