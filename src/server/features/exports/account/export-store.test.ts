import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeUser } from '#tests/support/factories.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { deleteEntries, hasUnreadableEntry, insertEntries } from './export-store.ts';

async function storeExport(queries: Queries, ownerId: string, entries: number): Promise<string> {
  const id = newId();
  await queries
    .insertInto('account_exports')
    .values({
      id,
      owner_id: ownerId,
      state: 'ready',
      size_bytes: 0,
      entry_count: entries,
      directory_offset: 0,
      directory_size: 0,
      recording_count: 0,
      left_out: 0,
      created_at: 0,
      expires_at: 0,
    })
    .execute();
  await insertEntries(
    queries,
    Array.from({ length: entries }, (_entry, position) => ({
      export_id: id,
      position,
      path: String(position),
      size_bytes: 0,
      crc32: 0,
      offset_bytes: 0,
      directory_bytes: 0,
      upload_id: null,
      blob_key: null,
      content: '',
    })),
  );
  return id;
}

const countOf = async (queries: Queries, id: string): Promise<number> =>
  (await queries.selectFrom('account_export_entries').select('path').where('export_id', '=', id).execute())
    .length;

eachDatabase((_dialect, open) => {
  test("entries with unreadable positions are deleted with their export, and no other export's entries", async () => {
    const database = await open();
    const { queries } = database;
    const { id: ownerId } = await storeUser(queries);
    const [broken, whole] = [
      await storeExport(queries, ownerId, 450),
      await storeExport(queries, ownerId, 3),
    ];
    await withoutLimits(database);
    await sql`update account_export_entries set position = position + 4611686018427387904 where export_id = ${broken} and position > 100`.execute(
      queries,
    );
    await sql`update account_export_entries set position = position - 4611686018427387904 where export_id = ${broken} and position < 50`.execute(
      queries,
    );
    expect([await hasUnreadableEntry(queries, broken), await hasUnreadableEntry(queries, whole)]).toEqual([
      true,
      false,
    ]);
    await deleteEntries(queries, broken);
    expect([await countOf(queries, broken), await countOf(queries, whole)]).toEqual([0, 3]);
  });
});
