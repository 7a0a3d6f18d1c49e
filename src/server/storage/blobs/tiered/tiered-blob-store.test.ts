import { describe } from 'vitest';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { hasS3, testBucket } from '#tests/support/test-bucket.ts';
import { tieredStores, type TieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { behavesAsBlobStore } from '#server/storage/blobs/blob-store.suite.ts';
import type { ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { S3ObjectStore } from '#server/storage/blobs/objects/s3-object-store.ts';

describe.skipIf(!hasPostgres)('the tiered blob store, with objects in memory', () => {
  const stores = tieredStores();
  behavesAsBlobStore(async () => {
    await stores.clear();
    const objects = new MemoryObjectStore();
    const open = async () => (await stores.open({ objects })).store;
    return { store: await open(), reopen: open };
  });
});

/** Opens a store whose tails are moved, and sealed blobs composed, as soon as they exist. */
async function openMoving(stores: TieredStores, objects: () => ObjectStore): Promise<BlobStore> {
  const { store, mover, composer } = await stores.open({ objects: objects(), inlineBytes: 0 });
  let isOpen = true;
  const moves = (async () => {
    while (isOpen) {
      await mover.moveDue({ atBytes: 1, afterMs: 0, everyMs: 0 });
      await composer.composeNext();
      await new Promise(setImmediate);
    }
  })();
  const close = store.close.bind(store);
  store.close = async () => {
    isOpen = false;
    await moves;
    await close();
  };
  return store;
}

describe.skipIf(!hasPostgres)('the tiered blob store, while every tail is moved at once', () => {
  const stores = tieredStores();
  behavesAsBlobStore(async () => {
    await stores.clear();
    const objects = new MemoryObjectStore();
    const open = () => openMoving(stores, () => objects);
    return { store: await open(), reopen: open };
  });
});

describe.skipIf(!hasPostgres || !hasS3)('the tiered blob store, on a real S3 server', () => {
  const stores = tieredStores();
  const bucket = testBucket();
  behavesAsBlobStore(async () => {
    await stores.clear();
    const open = () => openMoving(stores, () => new S3ObjectStore(bucket.settings()));
    return { store: await open(), reopen: open };
  });
});
