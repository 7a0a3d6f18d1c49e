import { expect, onTestFinished, test } from 'vitest';
import { second } from '#base/duration.ts';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { createApp } from '#server/http/app.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { createMetrics } from './metrics.ts';
import { mountOperations } from './operations-routes.ts';

test('S21: the disk is checked at most once a second, regardless of the number of readiness requests', async () => {
  const { database, blobs, clock } = await apiOnSqlite();
  let checks = 0;
  let isBroken = false;
  const counted: BlobStore = new Proxy(blobs, {
    get(target, name) {
      if (name !== 'ping') return Reflect.get(target, name) as unknown;
      return async () => {
        checks += 1;
        if (isBroken) throw new Error('the disk does not respond');
        await target.ping();
      };
    },
  });
  const app = createApp({
    routes: [],
    identify: { session: async () => null, uploadCapability: async () => null },
    config: { publicUrl: 'http://localhost:3000', trustedProxyHops: 0 },
    plugins: [
      (scope) => {
        mountOperations(scope, {
          database,
          blobs: counted,
          blobKind: 'disk',
          clock,
          metrics: createMetrics({ openStreams: () => 0 }),
          metricsToken: '',
          publicUrl: 'http://localhost:3000',
          version: '1',
          isDraining: () => false,
          hasMail: false,
          damagedCount: async () => 0,
          queue: async () => ({ kinds: [], oldestWaitingMs: null }),
          verifiedAtMs: async () => null,
          nodeCount: async () => 1,
          backups: {
            status: async () => ({
              everyMs: null,
              isRunning: false,
              newest: null,
              failure: null,
              isOverdue: false,
            }),
          },
          reserve: { status: async () => ({ freeBytes: 1, reserveBytes: 0, isTouched: false }) },
        });
      },
    ],
  });
  onTestFinished(() => app.close());
  const statuses = async (count: number) =>
    new Set(
      (await Promise.all(Array.from({ length: count }, () => app.inject('/readyz')))).map(
        ({ statusCode }) => statusCode,
      ),
    );
  expect(await statuses(50)).toEqual(new Set([200]));
  expect(checks).toBe(1);
  isBroken = true;
  clock.advance(second);
  expect(await statuses(50)).toEqual(new Set([503]));
  expect(checks).toBe(2);
});
