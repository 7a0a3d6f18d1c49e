import { sql } from 'kysely';
import type { Migration, MigrationContext } from '#server/storage/database/migration.ts';

/** Tables of labels, and the columns that users change. */
const labels = [
  ['markers', ['at_ms', 'label', 'colour']],
  ['notes', ['from_ms', 'to_ms', 'text']],
] as const;

async function countInSqlite({ transaction }: MigrationContext): Promise<void> {
  for (const [table, columns] of labels)
    for (const [name, when, row] of [
      ['insert', 'insert', 'new'],
      ['delete', 'delete', 'old'],
      ['update', `update of ${columns.join(', ')}`, 'new'],
    ] as const)
      await sql
        .raw(`create trigger ${table}_revised_at_${name} after ${when} on ${table}
      begin update recordings set labels_revision = labels_revision + 1 where id = ${row}.recording_id; end`)
        .execute(transaction);
}

/** Counts once per statement. The index job writes the words of labels, which is no change of them. */
async function countInPostgres({ transaction }: MigrationContext): Promise<void> {
  for (const [table, columns] of labels) {
    const of = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
    for (const [when, transition, changed] of [
      ['insert', 'new table as added', 'select recording_id from added'],
      ['delete', 'old table as removed', 'select recording_id from removed'],
      [
        'update',
        'new table as added old table as removed',
        `select added.recording_id from added join removed using (id) where ${of('added')} is distinct from ${of('removed')}`,
      ],
    ] as const) {
      await sql
        .raw(`create or replace function revise_${table}_at_${when}() returns trigger language plpgsql as 'begin
        update recordings set labels_revision = labels_revision + 1 where id in (${changed});
        return null;
      end'`)
        .execute(transaction);
      await sql
        .raw(
          `create trigger ${table}_revised_at_${when} after ${when} on ${table} referencing ${transition} for each statement execute function revise_${table}_at_${when}()`,
        )
        .execute(transaction);
    }
  }
}

/**
 * Counts the changes of each recording's markers and notes, so that open pages of its links learn of them with one
 * query, whichever server made them.
 */
export const labelRevisionsMigration: Migration = {
  name: '0078-label-revisions',
  oldestCode: '0076-shared-limits',
  async up(context) {
    const { transaction, types, dialect } = context;
    await transaction.schema
      .alterTable('recordings')
      .addColumn('labels_revision', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
    await (dialect === 'sqlite' ? countInSqlite : countInPostgres)(context);
  },
};
