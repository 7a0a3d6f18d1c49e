import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { second } from '#base/duration.ts';
import { MemoryObjectStore } from '#tests/support/memory-object-store.ts';
import { tieredStores } from '#tests/support/tiered-stores.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';
import type { TieredStoreWithMoves } from './open-tiered-blob-store.ts';

const key = 'recordings/0190f7a0-0000-7000-8000-000000000001/audio-0000';
const allTails = { atBytes: 1, afterMs: 0, everyMs: 0 };
const pieces = 5000;
const pieceBytes = 100;
/** PostgreSQL counts rows up to some seconds late. */
const patient = { timeout: 30 * second, interval: 200 };
const never = new AbortController().signal;

describe.skipIf(!hasPostgres)('the vacuum of rows that were moved', () => {
  const stores = tieredStores();

  beforeEach(async () => {
    await stores.clear();
    // Once a minute, PostgreSQL's own vacuum would free the rows of a test first, and shorten the file.
    await stores.query('alter table blob_pieces set (autovacuum_enabled = off)');
    await stores.query('vacuum full blob_pieces');
  });

  const sizeBytes = async (): Promise<number> =>
    (await stores.query<{ bytes: number }>("select pg_relation_size('blob_pieces')::float8 as bytes"))[0]
      ?.bytes ?? Number.NaN;

  /** Appends many rows and moves them all. Returns the offset after them. */
  async function appendAndMove({ store, mover }: TieredStoreWithMoves, fromBytes: number): Promise<number> {
    let offsetBytes = fromBytes;
    const bytes = randomBytes(pieceBytes);
    for (let nth = 0; nth < pieces; nth += 1) offsetBytes = await store.append(key, { offsetBytes, bytes });
    await mover.moveDue(allTails);
    return offsetBytes;
  }

  it('lets later appends use the space of moved rows, so that the table does not grow', async () => {
    const opened = await stores.open({ objects: new MemoryObjectStore() });
    await opened.store.create(key);
    const offsetBytes = await appendAndMove(opened, 0);
    await expect.poll(() => opened.vacuum.runIfDue(never), patient).toBe(true);
    const before = await sizeBytes();
    await appendAndMove(opened, offsetBytes);
    expect(await sizeBytes()).toBeLessThan(1.1 * before);
  });

  it('does nothing while few rows are dead, and after it has freed them', async () => {
    const opened = await stores.open({ objects: new MemoryObjectStore() });
    await opened.store.create(key);
    await opened.store.append(key, { offsetBytes: 0, bytes: randomBytes(pieceBytes) });
    await expect.poll(() => opened.vacuum.runIfDue(never), patient).toBe(false);
    await appendAndMove(opened, pieceBytes);
    await expect.poll(() => opened.vacuum.runIfDue(never), patient).toBe(true);
    await expect.poll(() => opened.vacuum.runIfDue(never), patient).toBe(false);
  });

  it('does not repeat itself while a backup still sees the moved rows', async () => {
    const opened = await stores.open({ objects: new MemoryObjectStore() });
    await opened.store.create(key);
    const backup = new Client({ connectionString: stores.url() });
    await backup.connect();
    onTestFinished(() => backup.end());
    await backup.query('begin isolation level repeatable read');
    await backup.query('select count(*) from blobs');
    await appendAndMove(opened, 0);
    await expect.poll(() => opened.vacuum.runIfDue(never), patient).toBe(true);
    await expect.poll(() => opened.vacuum.runIfDue(never), patient).toBe(false);
  });

  it('does not delay the end of a server by a vacuum that takes minutes', async () => {
    const opened = await stores.open({ objects: new MemoryObjectStore() });
    await opened.store.create(key);
    await appendAndMove(opened, 0);
    // From then on a vacuum pauses for a tenth of a second at each page. New connections read it.
    const [{ name } = { name: '' }] = await stores.query<{ name: string }>(
      'select current_database() as name',
    );
    await stores.query(`alter database ${name} set vacuum_cost_delay = '100ms'`);
    await stores.query(`alter database ${name} set vacuum_cost_limit = 1`);
    onTestFinished(async () => {
      await stores.query(`alter database ${name} reset all`);
      await stores.query('select pg_terminate_backend(pid) from pg_stat_progress_vacuum');
    });
    const slow = await stores.open({ objects: new MemoryObjectStore() });
    const isVacuuming = async (): Promise<boolean> =>
      (await stores.query("select 1 from pg_stat_progress_vacuum where relid = 'blob_pieces'::regclass"))
        .length > 0;
    const stopping = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    await vi.waitFor(async () => {
      const vacuumed = slow.vacuum.runIfDue(stopping.signal);
      ended = vacuumed.catch((error: unknown) => error);
      await vi.waitFor(async () => {
        expect(await isVacuuming()).toBe(true);
      });
    }, patient);
    stopping.abort(new Error('the store is being closed'));
    expect(await ended).toBeInstanceOf(Error);
    await slow.store.close();
  });

  it('does not begin once the server is stopping', async () => {
    const opened = await stores.open({ objects: new MemoryObjectStore() });
    await opened.store.create(key);
    await appendAndMove(opened, 0);
    const stopping = new AbortController();
    stopping.abort(new Error('the store is being closed'));
    await vi.waitFor(async () => {
      await expect(opened.vacuum.runIfDue(stopping.signal)).rejects.toThrow('the store is being closed');
    }, patient);
  });
});
