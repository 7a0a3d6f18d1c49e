import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hour } from '#base/duration.ts';
import type { RecordingSort } from '#contract/recording-filter.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { RecordingRow } from '#server/storage/database/schema.ts';
import { reindexRecordings } from '#server/storage/search/search-index.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { newId, storeMarker, storeRecording, storeUser } from '#tests/support/factories.ts';
import { findIds, findPage } from './find-recordings.ts';

const present = async (ids: readonly string[]) => [...ids];

const together = 500;
const shown = { trashed: 'false' } as const;
const compare = (a: string | number, b: string | number): number => (a === b ? 0 : a < b ? -1 : 1);

/**
 * More recordings contain the word `harbour` than are looked up one by one. The 700 oldest and the first by title
 * do not contain it.
 */
async function storeMany(database: Database): Promise<{ ownerId: string; rows: RecordingRow[] }> {
  const { id: ownerId } = await storeUser(database.queries);
  const like = await storeRecording(database.queries, {
    owner_id: ownerId,
    title: 'zz',
    title_folded: 'zz',
    started_at: 0,
    state: 'ready',
  });
  const rows = Array.from({ length: 4600 }, (_, index): RecordingRow => {
    const title = index < 700 || index % 6 === 0 ? `alpha ${index}` : `beta harbour ${index % 40}`;
    return {
      ...like,
      id: newId(),
      title,
      title_folded: title,
      started_at: index * hour,
      deleted_at: index % 50 === 1 ? 1 : null,
    };
  });
  for (let from = 0; from < rows.length; from += together) {
    const piece = rows.slice(from, from + together);
    await database.queries.insertInto('recordings').values(piece).execute();
    await reindexRecordings(
      database.queries,
      piece.map(({ id }) => id),
    );
  }
  // The query plan depends on PostgreSQL's estimates.
  if (database.dialect === 'postgres') await sql`analyze`.execute(database.queries);
  return { ownerId, rows };
}

eachDatabase((_name, open) => {
  test('a very common word is found in every order, page by page, wherever the first match is in the list', async () => {
    const database = await open();
    const { ownerId, rows } = await storeMany(database);
    const wanted = rows.filter(
      ({ title, deleted_at: deletedAt }) => title.includes('harbour') && deletedAt === null,
    );
    const orders: [RecordingSort, (a: RecordingRow, b: RecordingRow) => number][] = [
      ['newest', (a, b) => b.started_at - a.started_at],
      ['oldest', (a, b) => a.started_at - b.started_at],
      ['title', (a, b) => compare(a.title, b.title) || compare(a.id, b.id)],
    ];
    for (const [sort, order] of orders) {
      const ids: string[] = [];
      let page = await findPage(database, {
        ownerId,
        query: { ...shown, search: 'harb', sort, limit: 200 },
        present,
      });
      expect(page.total).toBe(wanted.length);
      for (ids.push(...page.items); page.nextCursor !== null; ids.push(...page.items))
        page = await findPage(database, {
          ownerId,
          query: { ...shown, search: 'harb', sort, limit: 200, cursor: page.nextCursor },
          present,
        });
      expect(ids).toEqual(wanted.toSorted(order).map(({ id }) => id));
    }
    expect(await findIds(database, ownerId, { ...shown, search: 'harbour' })).toEqual(
      wanted.toReversed().map(({ id }) => id),
    );
    expect(
      (
        await findPage(database, {
          ownerId,
          query: { ...shown, search: 'harbour', maxMs: 1, sort: 'newest', limit: 1 },
          present,
        })
      ).total,
    ).toBeNull();
    expect(
      (
        await findPage(database, {
          ownerId,
          query: { ...shown, search: 'harbour alpha', sort: 'title', limit: 50 },
          present,
        })
      ).items,
    ).toEqual([]);
  });

  test('sorted by title a common word is found in a renamed recording, and in one with too many words to index', async () => {
    const database = await open();
    const { ownerId, rows } = await storeMany(database);
    const [renamed, busy] = [rows.filter(({ deleted_at: deletedAt }) => deletedAt === null).at(-1), rows[0]];
    if (!renamed || !busy) throw new Error('too few');
    await database.queries
      .updateTable('recordings')
      .set({ title: 'aardvark harbour', title_folded: 'aardvark harbour' })
      .where('id', '=', renamed.id)
      .execute();
    await storeMarker(database.queries, {
      recording_id: busy.id,
      created_by: ownerId,
      label: `${Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ')} harbour`,
    });
    await reindexRecordings(database.queries, [renamed.id, busy.id]);
    const first = async (filter: { source?: 'import' }) =>
      (
        await findPage(database, {
          ownerId,
          query: { ...shown, ...filter, search: 'harbour', sort: 'title', limit: 3 },
          present,
        })
      ).items;
    const others = rows
      .filter(
        ({ id, title, deleted_at: deletedAt }) =>
          id !== renamed.id && title.includes('harbour') && deletedAt === null,
      )
      .toSorted((a, b) => compare(a.title, b.title) || compare(a.id, b.id));
    expect(await first({})).toEqual([renamed.id, busy.id, others[0]?.id]);
    expect(await first({ source: 'import' })).toEqual([]);
  });
});
