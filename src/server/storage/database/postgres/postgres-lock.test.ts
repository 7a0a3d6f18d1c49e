import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockPostgres } from './postgres-lock.ts';
import { TcpProxy } from '#tests/support/tcp-proxy.ts';
import { hasPostgres, testPostgresUrl as url } from '#tests/support/test-postgres.ts';

describe.skipIf(!hasPostgres)('a lock of PostgreSQL', () => {
  it('closes its connection if it cannot be taken', async () => {
    const named = new URL(url);
    named.searchParams.set('application_name', 'rejected lock');
    await expect(lockPostgres(named.href, Number.MAX_VALUE)).rejects.toThrow('bigint');
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await expect
      .poll(async () => {
        const { rows } = await client.query(
          "select pid from pg_stat_activity where application_name = 'rejected lock'",
        );
        return rows.length;
      })
      .toBe(0);
  });

  it('is not held any more once its connection is silent, as after a failover', async () => {
    const proxy = await TcpProxy.open(url);
    onTestFinished(() => proxy.close());
    const lock = await lockPostgres(proxy.urlOf(url), 20_361_206, { maxAnswerMs: 200 });
    expect(await lock?.isHeld()).toBe(true);
    proxy.silence();
    expect(await lock?.isHeld()).toBe(false);
  });
});
