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
 * How much of an audio blob ends in a page whose checksum is right. The tail tells; the whole file is read
 * only where the tail is ruined.
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
 * Looks at an upload's blob for the first time since the server started: cuts a tail that a crash may have
 * torn (Ogg to whole pages, peaks to whole points, other files by one append, the longest thing that can be
 * torn), then reads what is left once to know its hash. The device sends the rest again.
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
