import { sql } from 'kysely';
import type { Migration, MigrationContext } from '#server/storage/database/migration.ts';

/**
 * Stores the words of recordings a second time, in title order and in an index that is scanned alone: thirty
 * thousand titles are searched for a word in the time that fetching a tenth of the rows takes. The copy is in a
 * separate table, because a wider `recording_words` would be slower to count. Index entries cannot be long, so
 * long word lists are null here and read from their original row. Triggers maintain the table.
 */
async function keepWordsByTitle({ transaction }: MigrationContext): Promise<void> {
  await sql`create table words_by_title (
    recording_id text collate "C" primary key references recordings (id) on delete cascade,
    owner_id text collate "C" not null, title_key text collate "C" not null, words text collate "C"
  )`.execute(transaction);
  await sql`create or replace function keep_words_by_title() returns trigger language plpgsql as 'begin
    insert into words_by_title (recording_id, owner_id, title_key, words)
      select id, owner_id, title_key, case when octet_length(new.words) <= 1000 then new.words end from recordings where id = new.recording_id
      on conflict (recording_id) do update set owner_id = excluded.owner_id, title_key = excluded.title_key, words = excluded.words;
    return null;
  end'`.execute(transaction);
  await sql`create or replace function keep_title_of_words() returns trigger language plpgsql as
    'begin update words_by_title set owner_id = new.owner_id, title_key = new.title_key where recording_id = new.id; return null; end'`.execute(
    transaction,
  );
  await sql`create trigger recording_words_by_title after insert or update on recording_words for each row execute function keep_words_by_title()`.execute(
    transaction,
  );
  await sql`create trigger recordings_title_of_words after update on recordings for each row
    when (old.title_key is distinct from new.title_key or old.owner_id <> new.owner_id) execute function keep_title_of_words()`.execute(
    transaction,
  );
  await sql`insert into words_by_title select w.recording_id, r.owner_id, r.title_key, case when octet_length(w.words) <= 1000 then w.words end
    from recording_words as w join recordings as r on r.id = w.recording_id`.execute(transaction);
  await sql`create index words_by_title_in_order on words_by_title (owner_id, title_key, recording_id) include (words)`.execute(
    transaction,
  );
}

/**
 * For a word that very many titles contain, PostgreSQL searches the titles in order; SQLite is faster at matching
 * the list against all results.
 */
export const wordsByTitleMigration: Migration = {
  name: '0014-words-by-title',
  async up(context) {
    if (context.dialect === 'postgres') await keepWordsByTitle(context);
  },
};
