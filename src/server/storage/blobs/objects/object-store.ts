import { unavailableCode } from '#base/errors/unavailable.ts';
import type { ByteRange, ObjectRequests } from '#server/storage/blobs/blob-store.ts';

/** There is no object with this name, or it ends before the range. */
export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';
  constructor(objectName: string) {
    super(`no such object: ${objectName}`);
  }
}

/** The object store does not respond, or rejects a call that is right. The same call can succeed later. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
  readonly code = unavailableCode;
  readonly store = 'object-store';
}

/**
 * Stores immutable objects. A name is used once: no object is ever extended or written again, so a reader never sees
 * half of a change, and a repeated call stores the same bytes. Every method throws ObjectStoreError while the store
 * does not respond.
 */
export interface ObjectStore {
  /** Stores a whole object. Once the promise resolves, it is durable. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Stores an object from parts of at least 5 MiB, except the last. It appears once all of them are stored. */
  putParts(name: string, parts: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Reads one range, which must not be empty.
   * @throws ObjectMissingError when there is no such object, or it ends before the range
   */
  get(name: string, range: ByteRange, signal?: AbortSignal): Promise<Uint8Array>;
  /** Deletes an object. Does nothing if there is none. */
  delete(name: string): Promise<void>;
  /** Deletes the parts of an object that `putParts` did not finish. */
  deleteParts(name: string): Promise<void>;
  /** Resolves when the store can be reached and used. Rejects if it does not answer within seconds. */
  ping(): Promise<void>;
  /** The requests of this process; absent if nothing counts them. */
  requests?(): readonly ObjectRequests[];
  /** Ends the calls that are running. What they were storing may be there or not. */
  close(): void;
}
