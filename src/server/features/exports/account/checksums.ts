import { crc32 } from 'node:zlib';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Queries } from '#server/storage/database/database.ts';

interface SealedUpload {
  uploadId: string;
  blobKey: string;
  sizeBytes: number;
}

async function compute(
  blobs: BlobStore,
  { blobKey, sizeBytes }: SealedUpload,
  signal: AbortSignal,
): Promise<number> {
  let [sum, readBytes] = [0, 0];
  const stream = blobs.stream(blobKey, { startByte: 0, endByteExclusive: sizeBytes });
  for await (const piece of stream) {
    signal.throwIfAborted();
    const bytes: Buffer = piece;
    sum = crc32(bytes, sum);
    readBytes += bytes.length;
  }
  if (readBytes !== sizeBytes) throw new Error(`${blobKey} has ${readBytes} bytes of ${sizeBytes}`);
  return sum;
}

/** The CRC-32 of a sealed upload. It is computed once, because sealed bytes never change. */
export async function checksumOf(
  { queries, blobs }: { queries: Queries; blobs: BlobStore },
  upload: SealedUpload,
  signal: AbortSignal,
): Promise<number> {
  const known = await queries
    .selectFrom('upload_checksums')
    .select('crc32')
    .where('upload_id', '=', upload.uploadId)
    .executeTakeFirst();
  if (known) return known.crc32;
  const sum = await compute(blobs, upload, signal);
  await queries
    .insertInto('upload_checksums')
    .values({ upload_id: upload.uploadId, crc32: sum })
    .onConflict((conflict) => conflict.column('upload_id').doNothing())
    .execute();
  return sum;
}
