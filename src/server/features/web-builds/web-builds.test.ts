import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { day, hour } from '#base/duration.ts';
import { createApp } from '#server/http/app.ts';
import { mountWebApp } from '#server/http/pages/web-app.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { tableShapesOf } from '#server/storage/tables/table-shape.ts';
import { eachDatabase, freshDatabase } from '#tests/support/databases.ts';
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts';
import { makeBuild } from '#tests/support/made-up-build.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { newFolder } from '#tests/support/start-server.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import { createWebApp } from './create-web-app.ts';
import { WebBuilds } from './web-builds.ts';

/** A server with a build of its own. Its build is stored as at a start. */
async function serverOf(
  { database, blobs, clock = fakeClock() }: { database: Database; blobs: BlobStore; clock?: FakeClock },
  directory: string,
) {
  const webBuilds = new WebBuilds({ database, blobs, clock });
  const app = createApp({
    routes: [],
    identify: { session: async () => null, uploadCapability: async () => null },
    config: { publicUrl: 'http://localhost:3000', trustedProxyHops: 0 },
    plugins: [(scope) => mountWebApp(scope, directory, webBuilds)],
  });
  onTestFinished(() => app.close());
  await webBuilds.store(directory);
  return { app, webBuilds };
}

const oldScript = 'export const version = "old";';
const oldBuild = () => makeBuild({ 'first-aaaaaaaa.js': oldScript, 'language/de-rest-bbbbbbbb.js': 'x' });
const newBuild = () =>
  makeBuild({ 'first-cccccccc.js': 'export const version = "new";', 'page-dddddddd.css': 'a{}' });

/** Starts two servers with different builds, and requests the files of both from each. Returns the statuses. */
async function statusesOfBoth(stores: { database: Database; blobs: BlobStore }): Promise<Set<number>> {
  const older = await serverOf(stores, oldBuild());
  const newer = await serverOf(stores, newBuild());
  const statuses = new Set<number>();
  for (const { app } of [older, newer])
    for (const url of [
      '/assets/first-aaaaaaaa.js',
      '/assets/language/de-rest-bbbbbbbb.js',
      '/assets/first-cccccccc.js',
      '/assets/page-dddddddd.css',
    ])
      statuses.add((await app.inject(url)).statusCode);
  return statuses;
}

test('two servers with different builds on one disk answer for the files of both', async () => {
  const blobs = await openDiskBlobStore({ directory: newFolder() });
  onTestFinished(() => blobs.close());
  expect(await statusesOfBoth({ database: await freshDatabase(), blobs })).toEqual(new Set([200]));
});

describe.skipIf(!hasPostgres)('on PostgreSQL and an object store', () => {
  const stores = tieredStores();

  test('two servers with different builds answer for the files of both', async () => {
    const { store } = await stores.open({ objects: new MemoryObjectStore() });
    const database = await openPostgresDatabase({ url: stores.url() });
    onTestFinished(() => database.close());
    expect(await statusesOfBoth({ database, blobs: store })).toEqual(new Set([200]));
  });
});

test('a file of another build has the headers of the server’s own files', async () => {
  const stores = { database: await freshDatabase(), blobs: new MemoryBlobStore() };
  await serverOf(stores, oldBuild());
  const { app } = await serverOf(stores, newBuild());
  const headersOf = async (url: string) => {
    const { headers, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
    const { date: _date, etag: _etag, 'last-modified': _changed, 'x-request-id': _id, ...others } = headers;
    return { headers: others, text: brotliDecompressSync(rawPayload).toString() };
  };
  const own = await headersOf('/assets/first-cccccccc.js');
  const other = await headersOf('/assets/first-aaaaaaaa.js');
  const { 'content-length': _own, 'accept-ranges': _ranges, ...expected } = own.headers;
  expect(other.headers).toMatchObject(expected);
  expect(other.headers['cache-control']).toContain('immutable');
  expect(other.text).toBe(oldScript);
  const plain = await app.inject('/assets/first-aaaaaaaa.js');
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, oldScript]);
  const head = await app.inject({ method: 'HEAD', url: '/assets/first-aaaaaaaa.js' });
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
    200,
    '',
    String(oldScript.length),
  ]);
});

/** A database that counts its queries. */
function counted(database: Database): { database: Database; count: () => number } {
  let count = 0;
  const queries = new Proxy(database.queries, {
    get(target, name, receiver) {
      if (name === 'selectFrom') count += 1;
      const value: unknown = Reflect.get(target, name, receiver);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    database: new Proxy(database, {
      get: (target, name, receiver): unknown =>
        name === 'queries' ? queries : Reflect.get(target, name, receiver),
    }),
    count: () => count,
  };
}

test('names that no build has share one query, and other paths cost none', async () => {
  const { database, count } = counted(await freshDatabase());
  const { app } = await serverOf({ database, blobs: new MemoryBlobStore() }, newBuild());
  const before = count();
  const strange = [
    '/assets/x.exe',
    '/assets/..%2fsecret.js',
    '/assets/a/b/c.js',
    `/assets/${'x'.repeat(300)}.js`,
  ];
  for (const url of strange) {
    const { statusCode, headers } = await app.inject(url);
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 404, 'no-store']);
  }
  expect(count()).toBe(before);
  const urls = Array.from({ length: 200 }, (_, index) => `/assets/made-up-${index}.js`);
  const statuses = await Promise.all(urls.map(async (url) => (await app.inject(url)).statusCode));
  expect(new Set(statuses)).toEqual(new Set([404]));
  // One for the list, one for the files of the only build. Requests that come during a read wait for the next one.
  expect(count() - before).toBeLessThanOrEqual(4);
});

test('a server answers for a build that another one stored after a request for one of its files had failed', async () => {
  const stores = { database: await freshDatabase(), blobs: new MemoryBlobStore() };
  const older = await serverOf(stores, oldBuild());
  expect((await older.app.inject('/assets/first-cccccccc.js')).statusCode).toBe(404);
  await serverOf(stores, newBuild());
  expect((await older.app.inject('/assets/first-cccccccc.js')).statusCode).toBe(200);
});

eachDatabase((_dialect, open) => {
  test('a build is deleted 30 days after its last use, never while a server runs it', async () => {
    const stores = { database: await open(), blobs: new MemoryBlobStore(), clock: fakeClock() };
    const [oldDirectory, newDirectory] = [oldBuild(), newBuild()];
    await serverOf(stores, oldDirectory);
    const running = await serverOf(stores, newDirectory);
    const statuses = async () => {
      const { app } = await serverOf(stores, makeBuild({ 'third-eeeeeeee.js': '3' }));
      return Promise.all(
        ['/assets/first-aaaaaaaa.js', '/assets/first-cccccccc.js'].map(
          async (url) => (await app.inject(url)).statusCode,
        ),
      );
    };
    stores.clock.advance(30 * day - hour);
    await running.webBuilds.store(newDirectory);
    await running.webBuilds.sweep();
    expect(await statuses()).toEqual([200, 200]);
    stores.clock.advance(2 * hour);
    await running.webBuilds.sweep();
    expect(await statuses()).toEqual([404, 200]);
    // Started once more, it is stored once more.
    await serverOf(stores, oldDirectory);
    expect(await statuses()).toEqual([200, 200]);
  });

  test('backups do not contain builds', async () => {
    const { queries, dialect } = await open();
    expect((await tableShapesOf(queries, dialect)).map(({ name }) => name)).not.toContain('web_builds');
  });
});

test('stores a lost part again, and deletes every blob of a build that it sweeps', async () => {
  const directory = newFolder();
  const blobs = await openDiskBlobStore({ directory });
  onTestFinished(() => blobs.close());
  const stores = { database: await freshDatabase(), blobs, clock: fakeClock() };
  const build = oldBuild();
  const { webBuilds } = await serverOf(stores, build);
  const stored = () => readdir(join(directory, 'web'));
  const [id = ''] = await stored();
  await blobs.remove(`web/${id}/`);
  await webBuilds.store(build);
  const { app } = await serverOf(stores, newBuild());
  expect((await app.inject('/assets/first-aaaaaaaa.js')).body).toBe(oldScript);
  stores.clock.advance(31 * day);
  await webBuilds.sweep();
  expect(await stored()).toEqual([]);
});

test('serves a file that two builds share after the build that was used less recently is deleted', async () => {
  const stores = { database: await freshDatabase(), blobs: new MemoryBlobStore(), clock: fakeClock() };
  const shared = { 'shared-eeeeeeee.js': 'x' };
  await serverOf(stores, makeBuild({ 'first-aaaaaaaa.js': oldScript, ...shared }));
  stores.clock.advance(20 * day);
  await serverOf(stores, makeBuild({ 'first-bbbbbbbb.js': 'y', ...shared }));
  const { app, webBuilds } = await serverOf(stores, newBuild());
  expect((await app.inject('/assets/first-bbbbbbbb.js')).statusCode).toBe(200);
  stores.clock.advance(11 * day);
  await webBuilds.sweep();
  expect((await app.inject('/assets/shared-eeeeeeee.js')).statusCode).toBe(200);
});

test('never serves a script that was changed in the store', async () => {
  const blobs = new MemoryBlobStore();
  const stores = { database: await freshDatabase(), blobs };
  await serverOf(stores, oldBuild());
  const { app } = await serverOf(stores, newBuild());
  const { id } = await stores.database.queries
    .selectFrom('web_builds')
    .select('id')
    .where('files', 'like', '%first-aaaaaaaa%')
    .executeTakeFirstOrThrow();
  const key = `web/${id}/0`;
  const bytes = await blobs.read(key, { startByte: 0, endByteExclusive: Infinity });
  await blobs.put(key, bytes.with(bytes.length - 1, 1 + (bytes.at(-1) ?? 0)));
  expect((await app.inject('/assets/language/de-rest-bbbbbbbb.js')).statusCode).toBe(404);
  await blobs.put(key, bytes);
  expect((await app.inject('/assets/language/de-rest-bbbbbbbb.js')).body).toBe('x');
});

test('a store that fails delays nothing: the server starts, and stores its build later', async () => {
  const database = await freshDatabase();
  const failing = new MemoryBlobStore();
  const errors: unknown[] = [];
  failing.put = async () => Promise.reject(new Error('full'));
  const webBuilds = new WebBuilds({ database, blobs: failing, clock: fakeClock() });
  webBuilds.start(oldBuild(), (error) => errors.push(error));
  await webBuilds.stop();
  expect(errors).toEqual([expect.objectContaining({ message: 'full' })]);
  expect(await webBuilds.find('/assets/first-aaaaaaaa.js', { acceptsBrotli: true })).toBe(null);
});

test('a server stores its build when it starts, before its pages are mounted', async () => {
  const stores = { database: await freshDatabase(), blobs: new MemoryBlobStore(), clock: fakeClock() };
  const errors: unknown[] = [];
  const feature = createWebApp(oldBuild(), { ...stores, onError: (error) => errors.push(error) });
  await feature.start?.();
  await feature.stop?.();
  expect(errors).toEqual([]);
  const { app } = await serverOf(stores, newBuild());
  expect((await app.inject('/assets/first-aaaaaaaa.js')).statusCode).toBe(200);
});
