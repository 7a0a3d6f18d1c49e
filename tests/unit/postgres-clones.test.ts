import { describe, expect, test } from 'vitest';
import { addressOf, onPostgres } from '#tests/support/on-postgres.ts';
import { PostgresClones } from '#tests/support/postgres-clones.ts';
import { hasPostgres, testPostgresUrl } from '#tests/support/test-postgres.ts';

describe.skipIf(!hasPostgres)('the PostgreSQL databases of a test file', () => {
  const on = <Value>(name: string, statement: string) =>
    onPostgres(
      addressOf(testPostgresUrl, name),
      async (client) => (await client.query(statement)).rows as Value[],
    );
  /** The number of rows of every table. */
  const contents = async (name: string) => {
    const tables = await on<{ table: string }>(
      name,
      `select tablename as table from pg_tables where schemaname = 'public' order by 1`,
    );
    return Promise.all(
      tables.map(async ({ table }) => [
        table,
        (await on<{ n: string }>(name, `select count(*) as n from "${table}"`))[0]?.n,
      ]),
    );
  };

  test('are used again as the migrations left them', async () => {
    const clones = new PostgresClones(testPostgresUrl);
    const name = await clones.take();
    const before = await contents(name);
    await on(name, `delete from schema_migrations`);
    await on(
      name,
      `insert into jobs (id, kind, payload, state, priority, attempts, run_at, fence, created_at, updated_at)
      values ('j', 'import', 'null', 'queued', 0, 0, 0, 0, 0, 0)`,
    );
    expect(await contents(name)).not.toEqual(before);
    await clones.giveBack(name);
    expect(await clones.take()).toBe(name);
    expect(await contents(name)).toEqual(before);
    await clones.giveBack(name);
    await clones.dropAll();
  });

  test.each([
    'create table further (id int)',
    'alter table tags add further int',
    'drop index jobs_state_run_at',
    'create view further as select 1 as one',
  ])('are not used again after a test that changed their schema: %s', async (change) => {
    const clones = new PostgresClones(testPostgresUrl);
    const name = await clones.take();
    await on(name, change);
    await clones.giveBack(name);
    const other = await clones.take();
    expect(other).not.toBe(name);
    await clones.giveBack(other);
    await clones.dropAll();
  });
});
