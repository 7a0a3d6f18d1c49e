import { sql } from 'kysely';
import { createTable, type Migration, type MigrationContext } from '#server/storage/database/migration.ts';

async function createTags(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'tags')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_folded', text, (column) => column.notNull())
    .addColumn('colour', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .addUniqueConstraint('tags_one_per_name', ['owner_id', 'name_folded'])
    .execute();
  await createTable(context, 'recording_tags')
    .addColumn('recording_id', text, (column) =>
      column.notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('tag_id', text, (column) => column.notNull().references('tags.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('recording_tags_key', ['recording_id', 'tag_id'])
    .execute();
  await context.transaction.schema
    .createIndex('recording_tags_tag')
    .on('recording_tags')
    .columns(['tag_id', 'recording_id'])
    .execute();
}

async function createViews(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'saved_views')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('owner_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('query', text, (column) => column.notNull())
    .addColumn('created_at', integer, (column) => column.notNull())
    .execute();
  await context.transaction.schema
    .createIndex('saved_views_owner')
    .on('saved_views')
    .columns(['owner_id', 'created_at', 'id'])
    .execute();
}

/**
 * FTS5 reads the words from their table (external content) and stores only postings. The `ascii` tokenizer splits
 * at spaces and leaves every other script unchanged: the application folds the words, identically for both
 * databases.
 */
async function createSqliteWords({ transaction }: MigrationContext): Promise<void> {
  await sql`create table recording_words (
    seq integer primary key,
    recording_id text not null unique references recordings (id) on delete cascade,
    words text not null,
    version integer not null
  ) strict`.execute(transaction);
  await sql`create virtual table recording_words_index using fts5 (
    words, content = 'recording_words', content_rowid = 'seq', tokenize = 'ascii', detail = none, columnsize = 0, prefix = '1 2 3'
  )`.execute(transaction);
  const remove = sql.raw(
    `insert into recording_words_index (recording_words_index, rowid, words) values ('delete', old.seq, old.words)`,
  );
  const add = sql.raw(`insert into recording_words_index (rowid, words) values (new.seq, new.words)`);
  await sql`create trigger recording_words_added after insert on recording_words begin ${add}; end`.execute(
    transaction,
  );
  await sql`create trigger recording_words_removed after delete on recording_words begin ${remove}; end`.execute(
    transaction,
  );
  await sql`create trigger recording_words_changed after update of words on recording_words when old.words <> new.words begin ${remove}; ${add}; end`.execute(
    transaction,
  );
}

/**
 * Puts the lexemes into the vector unchanged: `to_tsvector` would split them again, by its own rules and the
 * cluster's locale.
 */
async function createPostgresWords(context: MigrationContext): Promise<void> {
  const { text, integer } = context.types;
  await createTable(context, 'recording_words')
    .addColumn('recording_id', text, (column) =>
      column.primaryKey().notNull().references('recordings.id').onDelete('cascade'),
    )
    .addColumn('words', text, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('lexemes', sql`tsvector`, (column) =>
      column.generatedAlwaysAs(sql`array_to_tsvector(string_to_array(trim(words), ' '))`).stored(),
    )
    .execute();
  await sql`create index recording_words_lexemes on recording_words using gin (lexemes)`.execute(
    context.transaction,
  );
}

/** The columns that filters use: with them in the index, counting and filtering read no row. */
const filtered = 'started_at, duration_ms, state, source, language, deleted_at';

/** Creates an index for each order of the list, for the trash and for the filter menu. */
async function createListIndexes({ transaction }: MigrationContext): Promise<void> {
  const orders = {
    newest: 'started_at',
    longest: 'duration_ms',
    largest: 'size_bytes',
    changed: 'updated_at',
    title: 'substr(title_folded, 1, 100)',
  };
  for (const [name, order] of Object.entries(orders)) {
    const rest = filtered
      .split(', ')
      .filter((column) => column !== order)
      .join(', ');
    await sql
      .raw(
        `create index recordings_by_${name} on recordings (owner_id, ${order}, id, ${rest}) where deleted_at is null`,
      )
      .execute(transaction);
  }
  // For recordings found by a tag, which refers to them by id.
  await sql
    .raw(`create index recordings_named on recordings (id, owner_id, ${filtered}) where deleted_at is null`)
    .execute(transaction);
  await sql
    .raw(
      `create index recordings_in_trash on recordings (owner_id, started_at, id) where deleted_at is not null`,
    )
    .execute(transaction);
  await sql
    .raw(
      `create index recordings_facets on recordings (owner_id, language, source, state, started_at, deleted_at) where deleted_at is null`,
    )
    .execute(transaction);
}

/** Tags, people, saved views, search, and an index for every order of the list. */
export const libraryMigration: Migration = {
  name: '0008-library',
  async up(context) {
    const { schema } = context.transaction;
    await schema
      .alterTable('recordings')
      .addColumn('people', context.types.text, (column) => column.notNull().defaultTo('[]'))
      .execute();
    await createTags(context);
    await createViews(context);
    await (context.dialect === 'sqlite' ? createSqliteWords(context) : createPostgresWords(context));
    await context.transaction.schema
      .createIndex('recording_words_version')
      .on('recording_words')
      .column('version')
      .execute();
    await createListIndexes(context);
  },
};
