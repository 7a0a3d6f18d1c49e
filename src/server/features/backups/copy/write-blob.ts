import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '#base/duration.ts';
import { sumOfStream } from '#server/features/backups/format/lines.ts';
import { BlobSpaceError, type BlobStore, sealedEpoch } from '#server/storage/blobs/blob-store.ts';
import { gatherBytes } from '#server/storage/blobs/gather-bytes.ts';

/**
 * Larger blobs are written in pieces of this size, each of which is synced. A tail of this size is moved to an object
 * store at once, so that blobs that are written side by side never fill the space for tails.
 */
const pieceBytes = 5 * 1024 * 1024;
/** How long one write waits for an object store to take the bytes before it. */
const maxSpaceWaitMs = 5 * minute;

/**
 * Writes, and tries again while the space for tails is full. On a disk no space becomes free by itself.
 * @throws BlobSpaceError after five minutes without space
 */
async function writeWhenFree<T>(blobs: BlobStore, write: () => Promise<T>): Promise<T> {
  for (const startedMs = performance.now(); ;) {
    try {
      return await write();
    } catch (error) {
      const mayGetFree = error instanceof BlobSpaceError && blobs.hasOtherWriters;
      if (!mayGetFree || performance.now() - startedMs > maxSpaceWaitMs) throw error;
    }
    await delay(second / 2);
  }
}

/** Appends the bytes of a source to a blob, from its present end on. Returns their hash and the new size. */
export async function appendBlob(
  blobs: BlobStore,
  { key, fromByte, source }: { key: string; fromByte: number; source: AsyncIterable<Uint8Array> },
): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let offsetBytes = fromByte;
  for await (const bytes of gatherBytes(source, pieceBytes)) {
    hash.update(bytes);
    const piece = { offsetBytes, bytes };
    offsetBytes = await writeWhenFree(blobs, () => blobs.append(key, piece));
  }
  return { sha256: hash.digest('hex'), sizeBytes: offsetBytes };
}

/** Writes a whole blob in place of an older one. Returns the hash of the bytes that the source had. */
export async function writeBlob(
  blobs: BlobStore,
  { key, sizeBytes, source }: { key: string; sizeBytes: number; source: AsyncIterable<Uint8Array> },
): Promise<string> {
  if (sizeBytes <= pieceBytes) {
    const bytes = await buffer(source);
    await writeWhenFree(blobs, () => blobs.put(key, bytes));
    return createHash('sha256').update(bytes).digest('hex');
  }
  await blobs.remove(key);
  await blobs.create(key);
  return (await appendBlob(blobs, { key, fromByte: 0, source })).sha256;
}

/** Marks a blob that never changes again. An object store then makes one object of it. */
export async function sealBlob(
  blobs: BlobStore,
  { key, sizeBytes }: { key: string; sizeBytes: number },
): Promise<void> {
  if (sizeBytes > 0) await blobs.fence(key, sealedEpoch);
}

/** Whether a store has exactly these bytes, which are read. */
export async function hasContent(
  blobs: BlobStore,
  { key, sizeBytes, sha256 }: { key: string; sizeBytes: number; sha256: string },
): Promise<boolean> {
  const head = await blobs.head(key);
  if (head?.sizeBytes !== sizeBytes) return false;
  const sum = await sumOfStream(blobs.stream(key, { startByte: 0, endByteExclusive: sizeBytes }));
  return sum.sha256 === sha256;
}
