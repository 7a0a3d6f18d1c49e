import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { second } from '#base/duration.ts';
import { isUnavailableError } from '#base/errors/unavailable.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { sealedEpoch } from '#server/storage/blobs/blob-store.ts';

const key = 'recordings/0190f7a0-0000-7000-8000-000000000001/audio-0000';

/** Forwards connections to PostgreSQL. Those that exist when it is cut stay open and silent, as after a failover. */
class SilentProxy {
  readonly #pairs: [Socket, Socket][] = [];
  readonly #server: Server;

  constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port === '' ? 5432 : to.port), to.hostname);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far);
      far.pipe(near);
      this.#pairs.push([near, far]);
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  cut(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far);
      far.unpipe(near);
    }
  }

  close(): void {
    for (const socket of this.#pairs.flat()) socket.destroy();
    this.#server.close();
  }
}

describe.skipIf(!hasPostgres)('a database that stops answering without closing its connections', () => {
  const stores = tieredStores();
  let proxy: SilentProxy;
  let databaseUrl: string;

  beforeEach(async () => {
    await stores.clear();
    const url = new URL(stores.url());
    proxy = new SilentProxy(new URL(url));
    url.hostname = '127.0.0.1';
    url.port = String(await proxy.listen());
    databaseUrl = url.href;
  });
  afterEach(() => {
    proxy.close();
  });

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
      proxy.cut();
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
