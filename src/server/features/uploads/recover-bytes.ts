import { maxOggPageBytes } from '#audio/ogg/ogg-page.ts';
import { lastPageIn, OggPrefixScanner } from '#audio/ogg/ogg-prefix.ts';
import { limits, peaksFormat } from '#contract/limits.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { RunningHash } from './running-hash.ts';
import type { UploadEntry } from './upload-entry.ts';

const tailWindowBytes = 2 * maxOggPageBytes;

async function validPrefixByScan(blobs: BlobStore, key: string, sizeBytes: number): Promise<number> {
  const scanner = new OggPrefixScanner();
  for await (const piece of blobs.stream(key, { startByte: 0, endByteExclusive: sizeBytes })) {
    if (!(piece instanceof Uint8Array) || !scanner.push(piece)) break;
  }
  return scanner.prefix.validBytes;
}

/**
 * The length of an audio blob up to its last page with a correct checksum. Usually the tail is sufficient; the
 * whole file is only read if the tail is damaged.
 */
async function wholePagesBytes(blobs: BlobStore, key: string, sizeBytes: number): Promise<number> {
  const startByte = Math.max(0, sizeBytes - tailWindowBytes);
  const last = lastPageIn(await blobs.read(key, { startByte, endByteExclusive: sizeBytes }));
  if (last) return startByte + last.endsAtBytes;
  return startByte === 0 ? 0 : validPrefixByScan(blobs, key, sizeBytes);
}

async function wholeBytesOf(
  blobs: BlobStore,
  { stream, container, key }: UploadEntry,
  sizeBytes: number,
): Promise<number> {
  if (stream === 'peaks') return sizeBytes - (sizeBytes % peaksFormat.bytesPerPoint);
  return container === 'ogg'
    ? wholePagesBytes(blobs, key, sizeBytes)
    : Math.max(0, sizeBytes - limits.appendSizeBytes);
}

/**
 * Cuts a tail that a crash may have torn: Ogg to whole pages, peaks to whole points, other files by one append, which
 * is the most that can be torn. The device sends the cut bytes again. Bytes that a note describes are never cut,
 * because they were synced before it; a store that was closed in order has notes of all of them.
 * @returns the size afterwards
 */
async function cutTornTail(
  blobs: BlobStore,
  entry: UploadEntry,
  { sizeBytes, notedBytes }: { sizeBytes: number; notedBytes: number },
): Promise<number> {
  const wholeBytes = Math.max(notedBytes, await wholeBytesOf(blobs, entry, sizeBytes));
  if (wholeBytes < sizeBytes) await blobs.truncate(entry.key, wholeBytes);
  return wholeBytes;
}

/**
 * Reads the size and the running hash of an upload that this process has not written to yet, or that another may
 * have written to. Only the bytes after the stored state of the hash are read.
 */
export async function recoverBytes(blobs: BlobStore, entry: UploadEntry): Promise<void> {
  const { sizeBytes, note } = (await blobs.tail(entry.key)) ?? { sizeBytes: 0, note: null };
  const noted = note && RunningHash.fromState(note.bytes);
  const notedBytes = note !== null && noted !== null ? note.atBytes : 0;
  entry.hash = noted ?? new RunningHash();
  const endByteExclusive = blobs.hasOtherWriters
    ? sizeBytes
    : await cutTornTail(blobs, entry, { sizeBytes, notedBytes });
  if (endByteExclusive > notedBytes) {
    for await (const piece of blobs.stream(entry.key, { startByte: notedBytes, endByteExclusive }))
      if (piece instanceof Uint8Array) entry.hash.update(piece);
  }
  entry.sizeBytes = endByteExclusive;
}
