import type { ByteSource } from '#server/http/send-bytes.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';

/** A whole blob as a source with random access. `etag` includes its quotes. */
export const blobSource = (
  blobs: BlobStore,
  { blobKey, ...about }: { blobKey: string } & Pick<ByteSource, 'sizeBytes' | 'etag' | 'mediaType'>,
): ByteSource => ({
  ...about,
  read: (range) => blobs.read(blobKey, range),
  stream: (range) => blobs.stream(blobKey, range),
});
