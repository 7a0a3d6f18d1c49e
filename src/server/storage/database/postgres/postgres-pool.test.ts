import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresPool } from './postgres-pool.ts';
import { hasPostgres, testPostgresUrl as url } from '#tests/support/test-postgres.ts';

describe.skipIf(!hasPostgres)('the pool of connections to PostgreSQL', () => {
  it('fails a transaction whose connection breaks between two statements, and works on', async () => {
    const pool = openPostgresPool(url, { connections: 2, settings: [] });
    onTestFinished(() => pool.end());
    const client = await pool.connect();
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => {
        resolve();
      });
    });
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await expect(client.query('commit')).rejects.toThrow(/not queryable|terminat/);
    client.release(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
