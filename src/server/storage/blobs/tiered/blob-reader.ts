import { Readable } from 'node:stream';
import { BlobDamagedError, type ByteRange } from '#server/storage/blobs/blob-store.ts';
import { ObjectMissingError, type ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { type BlobWithObjects, findWithObjects, missingBlob, readPieces } from './blob-rows.ts';
import type { HotDatabase } from './hot-database.ts';

const streamPieceBytes = 1024 * 1024;
/** How often bytes may move while they are being read. */
const maxTries = 8;

const everything: ByteRange = { startByte: 0, endByteExclusive: Number.MAX_SAFE_INTEGER };

/** Bytes that were moved or changed after their blob was found, or that are lost. */
class Unread {
  /** What was missing, and in which state of the blob. */
  readonly place: string;
  constructor({ id, version, coldBytes }: BlobWithObjects, missing: string) {
    this.place = `${missing} of blob ${id}.${version}, of which ${coldBytes} bytes are in objects`;
  }
}

/** Tells bytes that were moved during a read from those that are lost. */
class LostBytes {
  #before: string | null = null;

  /**
   * @param unread what a read missed; the blob was found again since the last one
   * @throws BlobDamagedError when the last read missed the same, although the blob had not changed in between
   */
  check(key: string, { place }: Unread): void {
    if (place === this.#before) throw new BlobDamagedError(`${key} is damaged: there is no ${place}`);
    this.#before = place;
  }
}

/** Reads blobs from objects and pieces. No transaction is open while the object store is being read. */
export class BlobReader {
  readonly #database: HotDatabase;
  readonly #objects: ObjectStore;

  constructor(database: HotDatabase, objects: ObjectStore) {
    this.#database = database;
    this.#objects = objects;
  }

  /**
   * Reads one range into memory. The result is shorter when the range ends after the blob.
   * @throws BlobDamagedError when an object or a row of the blob is missing
   */
  async read(key: string, range: ByteRange): Promise<Uint8Array> {
    const lost = new LostBytes();
    for (let tries = 0; tries < maxTries; tries += 1) {
      const blob = await this.#find(key, range);
      const bytes = await this.#readFrom(blob, {
        startByte: range.startByte,
        endByteExclusive: Math.min(range.endByteExclusive, blob.sizeBytes),
      });
      if (!(bytes instanceof Unread)) return bytes;
      lost.check(key, bytes);
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
    const lost = new LostBytes();
    let moves = 0;
    for (let startByte = range.startByte; startByte < end;) {
      const piece = { startByte, endByteExclusive: Math.min(end, startByte + streamPieceBytes) };
      const bytes = await this.#readFrom(blob, piece);
      if (bytes instanceof Unread) {
        lost.check(key, bytes);
        const present = await this.#find(key, range);
        moves += 1;
        if (present.id !== blob.id || present.version !== blob.version || moves > maxTries)
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

  async #readFrom(blob: BlobWithObjects, range: ByteRange): Promise<Uint8Array | Unread> {
    const parts: Uint8Array[] = [];
    const cold = await this.#readCold(blob, range, parts);
    if (cold instanceof Unread) return cold;
    const end = await this.#readHot(blob, { ...range, startByte: cold }, parts);
    const [only] = parts;
    if (end < range.endByteExclusive) return new Unread(blob, `row at ${end}`);
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  /** Adds the part of the range that is in objects. Returns where it ends. */
  async #readCold(
    blob: BlobWithObjects,
    { startByte, endByteExclusive }: ByteRange,
    parts: Uint8Array[],
  ): Promise<number | Unread> {
    let at = startByte;
    for (const { atByte, sizeBytes, name } of blob.objects) {
      const end = Math.min(endByteExclusive, atByte + sizeBytes);
      if (atByte > at || end <= at) continue;
      try {
        const bytes = await this.#objects.get(name, {
          startByte: at - atByte,
          endByteExclusive: end - atByte,
        });
        if (bytes.byteLength !== end - at) return new Unread(blob, `end of object ${name}`);
        parts.push(bytes);
      } catch (error) {
        if (error instanceof ObjectMissingError) return new Unread(blob, `object ${name}`);
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
