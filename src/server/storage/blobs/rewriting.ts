import type { BlobStore } from './blob-store.ts';

/** A blob that is written from the start, replacing the result of any earlier attempt. */
export interface RewrittenBlob {
  append: (bytes: Uint8Array) => Promise<void>;
  sizeBytes: () => number;
}

/** Starts to write a blob from the beginning. */
export async function rewriting(blobs: BlobStore, key: string): Promise<RewrittenBlob> {
  await blobs.remove(key);
  await blobs.create(key);
  let offsetBytes = 0;
  return {
    append: async (bytes) => {
      offsetBytes = await blobs.append(key, { offsetBytes, bytes });
    },
    sizeBytes: () => offsetBytes,
  };
}
