import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storeMarker, storeRecording, storeUser } from '#tests/support/factories.ts';
import { storeTranscript } from '#tests/support/stored-transcript.ts';
import { eachDatabase, freshDatabase } from '#tests/support/databases.ts';
import { emptyPostgres } from '#tests/support/recorded-server.ts';
import { fillTables } from './fill-tables.ts';
import { type Cell, readTable } from './read-table.ts';
import { type TableShape, tableShapesOf } from './table-shape.ts';
import { writeTable } from './write-table.ts';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import { hasPostgres } from '#tests/support/test-postgres.ts';

const readAll = (database: Database): Promise<Map<string, { table: TableShape; rows: Cell[][] }>> =>
  database.snapshot(async (queries) => {
    const read = new Map<string, { table: TableShape; rows: Cell[][] }>();
    for (const table of await tableShapesOf(queries, database.dialect))
      read.set(table.name, {
        table,
        rows: (await Array.fromAsync(readTable(queries, database.dialect, table))).flat(),
      });
    return read;
  });

eachDatabase((_name, open) => {
  it('has the tables and columns of the other database', async () => {
    const [here, other] = [await open(), await freshDatabase()];
    const shapes = async (database: Database) =>
      (await tableShapesOf(database.queries, database.dialect))
        .map(({ name, columns }) => ({
          name,
          columns: columns.map((column) => `${column.name} ${column.kind}`).sort(),
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(await shapes(here)).toEqual(await shapes(other));
  });

  it('copies every row exactly into a database of either kind', async () => {
    const [from, to] = [await open(), await freshDatabase()];
    const { id: ownerId } = await storeUser(from.queries, { display_name: 'Zoë “Ω” \n\t\\ 😀' });
    const { id } = await storeRecording(from.queries, { owner_id: ownerId, title: 'Harbour' });
    for (let index = 0; index < 1203; index += 1)
      await storeMarker(from.queries, { recording_id: id, created_by: ownerId, label: `Marker ${index}` });
    await storeTranscript(from.queries, { recordingId: id, ownerId });
    const before = await readAll(from);
    await to.transaction((transaction) =>
      fillTables(transaction, to.dialect, {
        tables: [...before.values()].map(({ table }) => table),
        rowsOf: async function* ({ name }) {
          yield before.get(name)?.rows ?? [];
        },
      }),
    );
    const after = await readAll(to);
    for (const [name, { rows, table }] of before) {
      const places = after.get(name)?.table.columns.map((column) => column.name) ?? [];
      const inOrder = (row: Cell[]): Cell[] =>
        places.map((column) => row[table.columns.findIndex((each) => each.name === column)] ?? null);
      expect(after.get(name)?.rows).toEqual(rows.map(inOrder));
    }
    expect(before.get('markers')?.rows).toHaveLength(1203);
    const usage = (database: Database) => database.queries.selectFrom('text_usage').selectAll().execute();
    expect(await usage(to)).toEqual(await usage(from));
  });

  it('reads one moment, however much is written meanwhile', async () => {
    const database = await open();
    await storeUser(database.queries);
    const names = await database.snapshot(async (queries) => {
      await storeUser(database.queries);
      return queries.selectFrom('users').select('id').execute();
    });
    expect(names).toHaveLength(1);
    expect(await database.queries.selectFrom('users').select('id').execute()).toHaveLength(2);
  });
});

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  it('has the same indexes, foreign keys and triggers after its tables were filled', async () => {
    const database = await openPostgresDatabase({ url: await emptyPostgres() });
    onTestFinished(() => database.close());
    const schema = async () => {
      const { rows: indexes } =
        await sql`select indexdef from pg_indexes where schemaname = 'public' order by indexname`.execute(
          database.queries,
        );
      const { rows: constraints } =
        await sql`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition, convalidated from pg_constraint order by 1, 2`.execute(
          database.queries,
        );
      const { rows: triggers } =
        await sql`select tgrelid::regclass::text as table, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`.execute(
          database.queries,
        );
      return { indexes, constraints, triggers };
    };
    const before = await schema();
    expect(before.indexes.length).toBeGreaterThan(50);
    const tables = await tableShapesOf(database.queries, 'postgres');
    await database.transaction((transaction) =>
      fillTables(transaction, 'postgres', {
        tables,
        rowsOf: async function* () {
          yield [];
        },
      }),
    );
    expect(await schema()).toEqual(before);
  });

  it('takes transcripts from SQLite', async () => {
    const [from, to] = [await freshDatabase(), await openPostgresDatabase({ url: await emptyPostgres() })];
    onTestFinished(() => to.close());
    const { id: ownerId } = await storeUser(from.queries);
    const { id: recordingId } = await storeRecording(from.queries, { owner_id: ownerId });
    await storeTranscript(from.queries, { recordingId, ownerId });
    await from.snapshot((queries) =>
      to.transaction(async (transaction) =>
        fillTables(transaction, to.dialect, {
          tables: await tableShapesOf(queries, from.dialect),
          rowsOf: (table) => readTable(queries, from.dialect, table),
        }),
      ),
    );
    const linesIn = ({ queries }: Database) =>
      queries.selectFrom('transcript_lines').selectAll().orderBy('from_ms').execute();
    expect(await linesIn(to)).toEqual(await linesIn(from));
  });

  it('rejects rows that violate a foreign key, and stores none', async () => {
    const database = await openPostgresDatabase({ url: await emptyPostgres() });
    onTestFinished(() => database.close());
    const table: TableShape = {
      name: 'recording_tags',
      columns: [
        { name: 'recording_id', kind: 'text' },
        { name: 'tag_id', kind: 'text' },
      ],
    };
    const filling = database.transaction((transaction) =>
      fillTables(transaction, 'postgres', {
        tables: [table],
        rowsOf: async function* () {
          yield [['none', 'none']];
        },
      }),
    );
    await expect(filling).rejects.toMatchObject({ code: '23503' });
    expect(await database.queries.selectFrom('recording_tags').selectAll().execute()).toEqual([]);
  });
});

describe('values', () => {
  it('keeps integers beyond 2^53', async () => {
    const database = await freshDatabase();
    await sql`create table exact (id text primary key, large integer, bytes blob) strict`.execute(
      database.queries,
    );
    const table: TableShape = {
      name: 'exact',
      columns: [
        { name: 'id', kind: 'text' },
        { name: 'large', kind: 'integer' },
        { name: 'bytes', kind: 'bytes' },
      ],
    };
    const rows: Cell[][] = [
      ['a', '9223372036854775807', 'AP8Q'],
      ['b', null, null],
    ];
    await writeTable(database.queries, database.dialect, { table, rows });
    const read = await database.snapshot((queries) =>
      Array.fromAsync(readTable(queries, database.dialect, table)),
    );
    expect(read.flat()).toEqual(rows);
  });
});
