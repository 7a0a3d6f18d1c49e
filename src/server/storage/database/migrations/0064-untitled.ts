import { sql } from 'kysely';
import { isGeneratedTitle } from '#server/storage/generated-title.ts';
import type { Migration, MigrationContext } from '#server/storage/database/migration.ts';

/** How many rows are read together. */
const together = 1000;

interface TitledRow {
  id: string;
  title: string;
  started_at: number;
  began_at: number | null;
  time_zone: string;
}

const startedAtMs = ({ began_at: beganAt, started_at: startedAt }: TitledRow): number =>
  Number(beganAt ?? startedAt);

async function takesAfter({ transaction }: MigrationContext, lastId: string): Promise<TitledRow[]> {
  return transaction
    .selectFrom('recordings')
    .where('source', '=', 'microphone')
    .where('id', '>', lastId)
    .select(['id', 'title', 'started_at', 'began_at', 'time_zone'])
    .orderBy('id')
    .limit(together)
    .execute();
}

async function clearTitles({ transaction }: MigrationContext, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable('recordings')
    .set({ title: '', title_folded: '' })
    .where('id', 'in', ids)
    .execute();
  // Makes the index job join their search words again.
  await transaction
    .insertInto('stale_words')
    .values(ids.map((id) => ({ recording_id: id, changes: 1 })))
    .onConflict((conflict) =>
      conflict.column('recording_id').doUpdateSet({ changes: sql`stale_words.changes + 1` }),
    )
    .execute();
}

/** Clears titles that earlier versions generated, in the language of the browser, when the user gave none. */
export const untitledMigration: Migration = {
  name: '0064-untitled',
  async up(context) {
    for (let lastId = ''; ;) {
      const rows = await takesAfter(context, lastId);
      await clearTitles(
        context,
        rows
          .filter((row) => isGeneratedTitle(row.title, { atMs: startedAtMs(row), timeZone: row.time_zone }))
          .map(({ id }) => id),
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      lastId = last.id;
    }
  },
};
