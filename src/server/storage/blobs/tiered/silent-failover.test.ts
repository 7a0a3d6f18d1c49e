import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { second } from '#base/duration.ts';
import { isUnavailableError } from '#base/errors/unavailable.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { TcpProxy } from '#tests/support/tcp-proxy.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { sealedEpoch } from '#server/storage/blobs/blob-store.ts';

const key = 'recordings/0190f7a0-0000-7000-8000-000000000001/audio-0000';

describe.skipIf(!hasPostgres)('a database that stops answering without closing its connections', () => {
  const stores = tieredStores();
  let proxy: TcpProxy;
  let databaseUrl: string;

  beforeEach(async () => {
    await stores.clear();
    proxy = await TcpProxy.open(stores.url());
    databaseUrl = proxy.urlOf(stores.url());
  });
  afterEach(() => proxy.close());

  it('delays appends, sizes and seals by the timeout, and the next attempt succeeds', async () => {
    const { store } = await stores.open({
      databaseUrl,
      objects: new MemoryObjectStore(),
      promptTimeoutMs: second,
    });
    await store.create(key);
    await store.append(key, { offsetBytes: 0, bytes: Buffer.from('before') });
    const work = [
      () => store.append(key, { offsetBytes: 6, bytes: Buffer.from(' after') }),
      () => store.tail(key),
      () => store.fence(key, sealedEpoch, { sizeBytes: 12 }),
    ];
    for (const attempt of work) {
      proxy.silence();
      const error: unknown = await attempt().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(isUnavailableError(error)).toBe(true);
      await attempt();
    }
    expect(await store.tail(key)).toMatchObject({ sizeBytes: 12 });
  });
});
