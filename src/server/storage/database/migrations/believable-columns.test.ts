import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import type { Database } from '#server/storage/database/database.ts';

/** Number columns without a constraint, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  'schema_migrations.ran_at': 'the ledger of migrations, written only by them and read by nothing',
  'recordings.text_bytes': 'a sum maintained by triggers: a wrong one must not make saving a note fail',
  'recordings.labels_revision':
    'a count maintained by triggers: a wrong one must not make saving a note fail',
  'text_usage.text_bytes': 'a sum maintained by triggers: a wrong one must not make saving a note fail',
  'recordings.words_seq': 'numbered by the database',
  'recording_words.seq': 'copied from recordings.words_seq by a trigger',
};

interface Column {
  owner: string;
  name: string;
}
const nameOf = ({ owner, name }: Column): string => `${owner}.${name}`;

/** Every number column of the schema, and whether a constraint bounds it for new rows and for changes. */
async function numericColumns({ dialect, queries }: Database): Promise<(Column & { isBounded: boolean })[]> {
  if (dialect === 'postgres') {
    const { rows } = await sql<
      Column & { bounded: boolean }
    >`select c.table_name as owner, c.column_name as name, exists (
        select 1 from pg_constraint as k where k.conrelid = format('%I', c.table_name)::regclass and k.contype = 'c'
          and pg_get_constraintdef(k.oid) ~ ('[("]' || c.column_name || '"? >= .*[("]' || c.column_name || '"? <= ')
      ) as bounded
      from information_schema.columns as c join information_schema.tables as t on t.table_name = c.table_name and t.table_schema = c.table_schema
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('bigint', 'integer', 'smallint', 'numeric', 'real', 'double precision')`.execute(
      queries,
    );
    return rows.map(({ bounded, ...column }) => ({ ...column, isBounded: bounded }));
  }
  const { rows: columns } = await sql<
    Column & { definition: string }
  >`select t.name as owner, c.name as name, t.sql as definition from sqlite_schema as t, pragma_table_info(t.name) as c
    where t.type = 'table' and c.type not in ('TEXT', 'BLOB', '') and t.name not like 'recording!_words!_index%' escape '!' and t.name not like 'sqlite!_%' escape '!'`.execute(
    queries,
  );
  const { rows: triggers } = await sql<{
    owner: string;
    definition: string;
  }>`select tbl_name as owner, sql as definition from sqlite_schema where type = 'trigger'`.execute(queries);
  const isRejected = ({ owner, name }: Column, when: string) =>
    triggers.some(
      (trigger) =>
        trigger.owner === owner &&
        trigger.definition.includes(`before ${when} on`) &&
        trigger.definition.includes(`new."${name}" not between`),
    );
  return columns.map(({ definition, ...column }) => ({
    ...column,
    isBounded:
      definition.includes(`check (${column.name} between`) ||
      (isRejected(column, 'insert') && isRejected(column, `update of "${column.name}"`)),
  }));
}

eachDatabase((_dialect, open) => {
  test('every number column has a constraint, or is an exception with a reason', async () => {
    const columns = await numericColumns(await open());
    expect(columns.length).toBeGreaterThan(100);
    expect(
      columns
        .filter((column) => !column.isBounded && !(nameOf(column) in exceptions))
        .map(nameOf)
        .toSorted(),
    ).toEqual([]);
  });

  test('no exception is obsolete', async () => {
    const unbounded = new Set(
      (await numericColumns(await open())).filter(({ isBounded }) => !isBounded).map(nameOf),
    );
    expect(Object.keys(exceptions).filter((name) => !unbounded.has(name))).toEqual([]);
  });

  test('finds a new number column without a constraint', async () => {
    const database = await open();
    await sql.raw('alter table tags add column weight integer').execute(database.queries);
    expect((await numericColumns(database)).filter(({ isBounded }) => !isBounded).map(nameOf)).toContain(
      'tags.weight',
    );
  });
});
