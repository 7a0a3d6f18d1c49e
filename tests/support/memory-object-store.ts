import type { ByteRange } from '#server/storage/blobs/blob-store.ts';
import {
  ObjectMissingError,
  type ObjectStore,
  ObjectStoreError,
} from '#server/storage/blobs/objects/object-store.ts';

/** Stores objects in a map. Several stores of blobs can share it, as several servers share a bucket. */
export class MemoryObjectStore implements ObjectStore {
  readonly objects = new Map<string, Buffer>();
  /** While true, every call fails, as in an outage. */
  isDown = false;
  /** How many objects were stored. */
  puts = 0;

  async put(name: string, bytes: Uint8Array): Promise<void> {
    this.#assertUp();
    if (this.objects.has(name)) throw new Error(`${name} is stored twice`);
    this.puts += 1;
    this.objects.set(name, Buffer.from(bytes));
  }

  async putParts(name: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
    const all: Uint8Array[] = [];
    for await (const part of parts) all.push(Uint8Array.from(part));
    await this.put(name, Buffer.concat(all));
  }

  async get(name: string, { startByte, endByteExclusive }: ByteRange): Promise<Uint8Array> {
    this.#assertUp();
    const bytes = this.objects.get(name);
    if (bytes === undefined || startByte >= bytes.length) throw new ObjectMissingError(name);
    return bytes.subarray(startByte, endByteExclusive);
  }

  async delete(name: string): Promise<void> {
    this.#assertUp();
    this.objects.delete(name);
  }

  async deleteParts(): Promise<void> {
    this.#assertUp();
  }

  async ping(): Promise<void> {
    this.#assertUp();
  }

  close(): void {
    // Nothing is open.
  }

  #assertUp(): void {
    if (this.isDown) throw new ObjectStoreError('the object store does not respond');
  }
}
