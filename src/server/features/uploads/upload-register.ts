import { BoundedMap } from '#base/bounded-map.ts';
import { KeyedQueue } from '#base/keyed-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { recoverBytes } from './recover-bytes.ts';
import { entryOf, type UploadEntry } from './upload-entry.ts';
import type { UploadsStore } from './uploads-store.ts';

export interface UploadRegister {
  /** Runs work on one upload exclusively. `entry` is null if the upload does not exist. */
  withEntry<T>(uploadId: string, work: (entry: UploadEntry | null) => Promise<T>): Promise<T>;
  /** Drops one upload's entry, so that its blob is examined again on the next use. */
  forget(uploadId: string): void;
  /** Drops the entries of a recording's uploads. */
  forgetRecording(recordingId: string): void;
}

/**
 * A bounded cache of the uploads that are being written. Missing entries are rebuilt from the database and the
 * blob.
 */
export function createUploadRegister({
  store,
  blobs,
  capacity = 4096,
}: {
  store: UploadsStore;
  blobs: BlobStore;
  capacity?: number;
}): UploadRegister {
  const entries = new BoundedMap<string, UploadEntry>(capacity);
  const queue = new KeyedQueue();

  async function load(uploadId: string): Promise<UploadEntry | null> {
    const remembered = entries.get(uploadId);
    if (remembered) return remembered;
    const row = await store.find(uploadId);
    if (!row) return null;
    const entry = entryOf(row);
    if (entry.seal === null) await recoverBytes(blobs, entry);
    entries.set(uploadId, entry);
    return entry;
  }

  return {
    withEntry: (uploadId, work) => queue.run(uploadId, async () => work(await load(uploadId))),
    forget: (uploadId) => entries.delete(uploadId),
    forgetRecording: (recordingId) => entries.deleteWhere((entry) => entry.recordingId === recordingId),
  };
}
