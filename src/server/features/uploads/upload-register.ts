import { IdleMap } from '#base/idle-map.ts';
import { minute } from '#base/duration.ts';
import { KeyedQueue } from '#base/keyed-queue.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { recoverBytes } from './recover-bytes.ts';
import { entryOf, type UploadEntry, type UploadWithRecording } from './upload-entry.ts';
import type { UploadsStore } from './uploads-store.ts';

export interface UploadRegister {
  /**
   * Runs work on one upload exclusively within this process. `entry` is null if the upload does not exist.
   * @param agrees whether the cached entry is what the caller expects. Where other processes write to the same
   * store, an entry that does not agree is read again first. By default none agrees.
   */
  withEntry<T>(
    uploadId: string,
    work: (entry: UploadEntry | null) => Promise<T>,
    agrees?: (entry: UploadEntry) => boolean,
  ): Promise<T>;
  /** Drops one upload's entry, so that its blob is examined again on the next use. */
  forget(uploadId: string): void;
  /** Drops the entries of a recording's uploads. */
  forgetRecording(recordingId: string): void;
}

/** Longer than a take's device waits between two appends, even with the longest pause of its retries. */
const idleMs = 10 * minute;

/** Whether nothing but appends has happened to an unsealed upload. */
const hasSameWriter = (known: UploadEntry, read: UploadEntry): boolean =>
  known.seal === null && read.seal === null && known.epoch === read.epoch;

function copyBytes(from: UploadEntry, to: UploadEntry): void {
  to.sizeBytes = from.sizeBytes;
  to.hash = from.hash;
}

/**
 * A cache of the uploads that are being written. Missing entries are rebuilt from the database and the blob.
 */
export function createUploadRegister({
  store,
  blobs,
}: {
  store: UploadsStore;
  blobs: BlobStore;
}): UploadRegister {
  const entries = new IdleMap<string, { entry: UploadEntry; row: UploadWithRecording }>({
    idleMs,
    nowMs: () => performance.now(),
  });
  const queue = new KeyedQueue();

  async function load(
    uploadId: string,
    agrees: (entry: UploadEntry) => boolean,
  ): Promise<UploadEntry | null> {
    const known = entries.get(uploadId);
    const isExpected = known !== undefined && (!blobs.hasOtherWriters || agrees(known.entry));
    if (isExpected && !blobs.hasOtherWriters) return known.entry;
    const row = await (isExpected ? store.findRecent(uploadId) : store.find(uploadId));
    if (!row) {
      entries.delete(uploadId);
      return null;
    }
    if (isExpected && row === known.row) return known.entry;
    const entry = entryOf(row);
    // The blob compares size and epoch with each append, so the hash of an entry that agrees is not read again.
    if (isExpected && hasSameWriter(known.entry, entry)) copyBytes(known.entry, entry);
    else if (entry.seal === null) await recoverBytes(blobs, entry);
    entries.set(uploadId, { entry, row });
    return entry;
  }

  return {
    withEntry: (uploadId, work, agrees = () => false) =>
      queue.run(uploadId, async () => work(await load(uploadId, agrees))),
    forget: (uploadId) => entries.delete(uploadId),
    forgetRecording: (recordingId) => entries.deleteWhere(({ entry }) => entry.recordingId === recordingId),
  };
}
