import { createHash } from 'node:crypto';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { unfinishedKeyOf } from '#server/storage/blobs/derived-keys.ts';
import { gatherBytes } from '#server/storage/blobs/gather-bytes.ts';
import { blobKeyOfFile, type KnownFile } from './known-models.ts';

/** Files are appended in pieces of this size, so that a stop loses at most one. */
export const pieceBytes = 1024 * 1024;

/** The key of the copy of a decoder that gives times of words. The file itself stays, so that its hash can be compared. */
const patchedKeyOf = (file: KnownFile): string => `${blobKeyOfFile(file)}-attention`;

/** The files of speech models in the blob store. The stored size of a file is where its download continues. */
export class ModelFiles {
  readonly #blobs: BlobStore;

  /** @param blobs its writes stop at the disk reserve */
  constructor(blobs: BlobStore) {
    this.#blobs = blobs;
  }

  async storedBytes(file: KnownFile): Promise<number> {
    return (await this.#blobs.head(blobKeyOfFile(file)))?.sizeBytes ?? 0;
  }

  async storedBytesOf(files: readonly KnownFile[]): Promise<number> {
    let sum = 0;
    for (const file of files) sum += await this.storedBytes(file);
    return sum;
  }

  /**
   * Appends a part of a file.
   * @returns the new size
   * @throws BlobOffsetError if the stored part has another size
   * @throws BlobSpaceError if there is no space outside the disk reserve
   */
  async append(file: KnownFile, offsetBytes: number, bytes: Uint8Array): Promise<number> {
    const key = blobKeyOfFile(file);
    if (offsetBytes === 0) await this.#blobs.create(key);
    return this.#blobs.append(key, { offsetBytes, bytes });
  }

  /** Reads a file and compares its hash. */
  async isIntact(file: KnownFile, signal: AbortSignal): Promise<boolean> {
    if ((await this.storedBytes(file)) !== file.sizeBytes) return false;
    const hash = createHash('sha256');
    for await (const bytes of this.#read(blobKeyOfFile(file), file.sizeBytes)) {
      signal.throwIfAborted();
      hash.update(bytes);
    }
    return hash.digest('hex') === file.sha256;
  }

  async remove(file: KnownFile): Promise<void> {
    await this.#blobs.remove(patchedKeyOf(file));
    await this.#blobs.remove(blobKeyOfFile(file));
  }

  /** The key of the file that the engine reads. */
  async keyOf(file: KnownFile): Promise<string> {
    const patched = patchedKeyOf(file);
    return file.role === 'decoder' && (await this.#blobs.head(patched)) !== null
      ? patched
      : blobKeyOfFile(file);
  }

  /** Stores a copy of a decoder with the bytes that `patch` returns for it, unless it is there. */
  async storePatched(file: KnownFile, patch: (decoder: Uint8Array) => Uint8Array | null): Promise<void> {
    const [key, patched] = [blobKeyOfFile(file), patchedKeyOf(file)];
    if ((await this.#blobs.head(patched)) !== null) return;
    const appended = patch(await this.#blobs.read(key, { startByte: 0, endByteExclusive: file.sizeBytes }));
    if (appended === null) return;
    const unfinished = unfinishedKeyOf(patched);
    await this.#blobs.remove(unfinished);
    await this.#blobs.create(unfinished);
    let offsetBytes = 0;
    const source = this.#read(key, file.sizeBytes);
    for await (const bytes of gatherBytes(source, pieceBytes))
      offsetBytes = await this.#blobs.append(unfinished, { offsetBytes, bytes });
    await this.#blobs.append(unfinished, { offsetBytes, bytes: appended });
    await this.#blobs.move(unfinished, patched);
  }

  /** Reads the bytes of a stored key in pieces. */
  async *readKey(key: string): AsyncGenerator<Uint8Array> {
    const head = await this.#blobs.head(key);
    if (head !== null) yield* this.#read(key, head.sizeBytes);
  }

  /** The path of a stored key, on a store whose blobs are files. */
  async pathOf(key: string): Promise<string> {
    return (await this.#blobs.localFile(key)).path;
  }

  #read(key: string, endByteExclusive: number): AsyncIterable<Uint8Array> {
    return this.#blobs.stream(key, { startByte: 0, endByteExclusive }) as AsyncIterable<Uint8Array>;
  }
}
