import { longestOggPageBytes } from '#audio/ogg/ogg-page.ts';
import { lastPageIn, OggPrefixScanner } from '#audio/ogg/ogg-prefix.ts';
import { limits, peaksFormat } from '#contract/limits.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { UploadEntry } from './upload-entry.ts';

const tailWindowBytes = 2 * longestOggPageBytes;

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
 * Recovers an upload on its first use after a start of the server: cuts a tail that a crash may have torn (Ogg to
 * whole pages, peaks to whole points, other files by one append, which is the most that can be torn), then reads
 * the rest once to compute its hash. The device sends the cut bytes again.
 */
export async function recoverBytes(blobs: BlobStore, entry: UploadEntry): Promise<void> {
  const sizeBytes = (await blobs.head(entry.key))?.sizeBytes ?? 0;
  const wholeBytes = await wholeBytesOf(blobs, entry, sizeBytes);
  if (wholeBytes < sizeBytes) await blobs.truncate(entry.key, wholeBytes);
  if (wholeBytes > 0) {
    for await (const piece of blobs.stream(entry.key, { startByte: 0, endByteExclusive: wholeBytes }))
      entry.hash.update(piece);
  }
  entry.sizeBytes = wholeBytes;
}
