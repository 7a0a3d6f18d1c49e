import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockPostgres } from './postgres-lock.ts';

const url = process.env['TEST_POSTGRES_URL'] ?? '';

describe.skipIf(url === '')('a lock of PostgreSQL', () => {
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
});
