import { describe } from 'vitest';
import { behavesAsBlobStore } from '#server/storage/blobs/blob-store.suite.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';

describe('the in-memory blob store', () => {
  behavesAsBlobStore(async () => {
    const store = new MemoryBlobStore();
    return { store, reopen: async () => new MemoryBlobStore({ from: store }) };
  });
});
