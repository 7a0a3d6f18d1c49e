import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { isLostConnectionError } from '#base/errors/lost-connection.ts';
import { TcpProxy } from '#tests/support/tcp-proxy.ts';
import { hasPostgres, testPostgresUrl } from '#tests/support/test-postgres.ts';
import { openPostgresPool } from './postgres-pool.ts';

const watch = { busyMs: 100, checkEveryMs: 20 };

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe.skipIf(!hasPostgres)('a connection to PostgreSQL that is silent', () => {
  let proxy: TcpProxy;
  let pool: Pool;

  beforeEach(async () => {
    proxy = await TcpProxy.open(testPostgresUrl);
    pool = openPostgresPool(proxy.urlOf(testPostgresUrl), { connections: 4, settings: [], watch });
  });
  afterEach(async () => {
    await proxy.close();
    await pool.end();
  });

  /** Leaves some connections of the pool idle. */
  const openConnections = async (count: number): Promise<void> => {
    const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
    for (const client of clients) client.release();
  };

  it('fails its statement once the server that answers now has no process for it', async () => {
    await openConnections(1);
    proxy.silence();
    expect(isLostConnectionError(await failureOf(pool.query('select 1')))).toBe(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('takes the idle connections that broke with it out of the pool', async () => {
    await openConnections(3);
    proxy.silence();
    await failureOf(pool.query('select 1'));
    await expect.poll(() => pool.totalCount).toBe(0);
  });

  it('fails a transaction between two statements, which begins again on another connection', async () => {
    const client = await pool.connect();
    await client.query('begin');
    proxy.silence();
    expect(isLostConnectionError(await failureOf(client.query('select 1')))).toBe(true);
    client.release(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('fails its statement if no server answers at all', async () => {
    await openConnections(1);
    proxy.silence();
    proxy.cut();
    expect(isLostConnectionError(await failureOf(pool.query('select 1')))).toBe(true);
  });

  it('does not fail a statement that takes long', async () => {
    const { rows } = await pool.query("select 'done' as state, pg_sleep(0.6)");
    expect(rows).toMatchObject([{ state: 'done' }]);
  });

  it('does not fail a statement while the server has no connection left for the question', async () => {
    const limited = new URL(testPostgresUrl);
    const { rows } = await pool.query<{ name: string }>(
      "select 'watched_' || substr(md5(random()::text), 1, 8) as name",
    );
    const name = rows[0]?.name ?? '';
    await pool.query(`create role ${name} login password 'watched'`);
    try {
      await pool.query(`alter role ${name} connection limit 1`);
      limited.username = name;
      limited.password = 'watched';
      const alone = openPostgresPool(limited.href, { connections: 1, settings: [], watch });
      try {
        const { rows: answer } = await alone.query("select 'done' as state, pg_sleep(0.6)");
        expect(answer).toMatchObject([{ state: 'done' }]);
      } finally {
        await alone.end();
      }
    } finally {
      await pool.query(`drop role ${name}`);
    }
  });
});
