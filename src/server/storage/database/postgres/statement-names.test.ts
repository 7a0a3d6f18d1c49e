import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { preparedMark } from '#server/storage/database/prepared.ts';
import { hasPostgres, testPostgresUrl as url } from '#tests/support/test-postgres.ts';
import { type NamedStatements, StatementNaming } from './statement-names.ts';

async function namingClient(which: NamedStatements) {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const naming = new StatementNaming(client, which);
  const prepared = async (): Promise<string[]> =>
    (await client.query<{ statement: string }>('select statement from pg_prepared_statements')).rows.map(
      ({ statement }) => statement,
    );
  return { client, naming, prepared };
}

const plain = 'select $1::int as value';
const marked = `${plain} ${preparedMark}`;

describe.skipIf(!hasPostgres)('statements of a connection to PostgreSQL', () => {
  test('are prepared once if they are marked', async () => {
    const { client, naming, prepared } = await namingClient('marked');
    naming.turnOn();
    for (const text of [plain, marked, marked])
      expect((await client.query(text, [1])).rows).toEqual([{ value: 1 }]);
    expect(await prepared()).toEqual([marked]);
  });

  test('are all prepared where their number is known, with the names that callers gave', async () => {
    const { client, naming, prepared } = await namingClient('all');
    naming.turnOn();
    await client.query(plain, [1]);
    await client.query({ text: marked, values: [1], name: 'own' });
    await client.query('select 1');
    expect((await prepared()).toSorted()).toEqual([plain, marked].toSorted());
    expect((await client.query(`select from pg_prepared_statements where name = 'own'`)).rowCount).toBe(1);
  });

  test('are not prepared behind a pooler, even if the caller gave a name', async () => {
    const { client, prepared } = await namingClient('all');
    await client.query(marked, [1]);
    await client.query({ text: plain, values: [1], name: 'own' });
    expect(await prepared()).toEqual([]);
  });

  test('work again after their result has changed, as by a migration of a newer server', async () => {
    const { client, naming } = await namingClient('marked');
    naming.turnOn();
    await client.query('create temp table changing (one int)');
    const text = `select * from changing where one = $1 ${preparedMark}`;
    await client.query(text, [1]);
    await client.query('alter table changing add column two int');
    await expect(client.query(text, [1])).rejects.toThrow('cached plan must not change result type');
    expect((await client.query(text, [1])).fields).toHaveLength(2);
  });
});
