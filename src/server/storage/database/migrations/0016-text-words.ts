import { sql } from 'kysely';
import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

/** Tables with very many possible texts per recording, and their text columns. */
const texts = [
  ['markers', 'label'],
  ['notes', 'text'],
] as const;

/**
 * Stores words next to their text, so that changing one text produces words for that text only. Version 0 means
 * that they are not yet produced.
 */
async function addWords({ transaction, types }: MigrationContext): Promise<void> {
  for (const table of ['markers', 'notes', 'tags']) {
    await transaction.schema
      .alterTable(table)
      .addColumn('words', types.text, (column) => column.notNull().defaultTo(''))
      .execute();
    await transaction.schema
      .alterTable(table)
      .addColumn('words_version', types.integer, (column) => column.notNull().defaultTo(0))
      .execute();
  }
}

/**
 * A separate table, because a change of `recording_words` would index all words of the recording again, on
 * PostgreSQL even if they stay the same.
 */
async function createStaleWords(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'stale_words')
    .addColumn('recording_id', text, (column) =>
      column.primaryKey().notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('changes', integer, (column) => column.notNull())
    .execute();
}

async function countTexts(context: MigrationContext): Promise<void> {
  const { transaction, types } = context;
  await transaction.schema
    .alterTable('recordings')
    .addColumn('text_bytes', types.integer, (column) => column.notNull().defaultTo(0))
    .execute();
  for (const [table, column] of texts) {
    await sql`update recordings set text_bytes = text_bytes + counted.n
      from (select recording_id, sum(octet_length(${sql.ref(column)})) as n from ${sql.table(table)} group by recording_id) as counted
      where recordings.id = counted.recording_id`.execute(transaction);
  }
  await createTable(context, 'text_usage')
    .addColumn('user_id', types.text, (column) =>
      column.primaryKey().notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('text_bytes', types.integer, (column) => column.notNull())
    .execute();
  await sql`insert into text_usage (user_id, text_bytes) select owner_id, sum(text_bytes) from recordings where text_bytes > 0 group by owner_id`.execute(
    transaction,
  );
}

/** When a user is deleted, their count is deleted before their recordings. */
async function keepCountsInSqlite({ transaction }: MigrationContext): Promise<void> {
  for (const [table, column] of texts) {
    const count = (when: string, change: string, row: string) =>
      sql
        .raw(`create trigger ${table}_counted_at_${when.split(' ')[0]} after ${when} on ${table}
      begin update recordings set text_bytes = text_bytes + ${change} where id = ${row}.recording_id; end`)
        .execute(transaction);
    await count('insert', `octet_length(new.${column})`, 'new');
    await count('delete', `-octet_length(old.${column})`, 'old');
    await count(`update of ${column}`, `octet_length(new.${column}) - octet_length(old.${column})`, 'new');
  }
  await sql`create trigger recordings_counted_at_update after update of text_bytes on recordings when new.text_bytes <> old.text_bytes begin
    insert into text_usage (user_id, text_bytes) select id, new.text_bytes - old.text_bytes from users where id = new.owner_id
      on conflict (user_id) do update set text_bytes = text_usage.text_bytes + excluded.text_bytes;
  end`.execute(transaction);
  await sql`create trigger recordings_counted_at_delete after delete on recordings when old.text_bytes > 0 begin
    update text_usage set text_bytes = text_bytes - old.text_bytes where user_id = old.owner_id;
  end`.execute(transaction);
}

/** Counts once per statement: a thousand labels added together count as one change of their recording. */
async function keepCountsInPostgres({ transaction }: MigrationContext): Promise<void> {
  for (const [table, column] of texts) {
    const rows = {
      insert: `select recording_id, octet_length(${column}) as n from added`,
      delete: `select recording_id, -octet_length(${column}) as n from removed`,
    };
    const count = async (when: string, changed: string, named: string) => {
      await sql
        .raw(`create or replace function count_${table}_at_${when}() returns trigger language plpgsql as 'begin
        update recordings set text_bytes = text_bytes + counted.n from (select recording_id, sum(n) as n from (${changed}) as changed group by recording_id) as counted
          where id = counted.recording_id and counted.n <> 0;
        return null;
      end'`)
        .execute(transaction);
      await sql
        .raw(
          `create trigger ${table}_counted_at_${when} after ${when} on ${table} referencing ${named} for each statement execute function count_${table}_at_${when}()`,
        )
        .execute(transaction);
    };
    await count('insert', rows.insert, 'new table as added');
    await count('delete', rows.delete, 'old table as removed');
    await count(
      'update',
      `${rows.insert} union all ${rows.delete}`,
      'new table as added old table as removed',
    );
  }
  await sql`create or replace function keep_text_usage() returns trigger language plpgsql as 'begin
    if tg_op = ''DELETE'' then
      update text_usage set text_bytes = text_bytes - old.text_bytes where user_id = old.owner_id;
    else
      insert into text_usage (user_id, text_bytes) select id, new.text_bytes - old.text_bytes from users where id = new.owner_id
        on conflict (user_id) do update set text_bytes = text_usage.text_bytes + excluded.text_bytes;
    end if;
    return null;
  end'`.execute(transaction);
  await sql`create trigger recordings_counted_at_update after update on recordings for each row when (new.text_bytes <> old.text_bytes) execute function keep_text_usage()`.execute(
    transaction,
  );
  await sql`create trigger recordings_counted_at_delete after delete on recordings for each row when (old.text_bytes > 0) execute function keep_text_usage()`.execute(
    transaction,
  );
}

/**
 * Stores search words next to each text, and the text bytes of each recording and user. The index job produces the
 * words of existing texts.
 */
export const textWordsMigration: Migration = {
  name: '0016-text-words',
  async up(context) {
    await addWords(context);
    await createStaleWords(context);
    await countTexts(context);
    await (context.dialect === 'sqlite' ? keepCountsInSqlite(context) : keepCountsInPostgres(context));
  },
};
