import { beforeAll, describe, expect, test } from 'vitest';
import { wantedWordsOf } from '#base/search-words.ts';
import { listRecordingsQuerySchema } from '#contract/recording-filter.ts';
import { findPage } from '#server/features/library/find-recordings.ts';
import type { Database } from '#server/storage/database/database.ts';
import { reindexRecording } from '#server/storage/search/search-index.ts';
import { searchFor } from '#server/storage/search/search-query.ts';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeMarker, storeRecording, storeUser } from '#tests/support/factories.ts';
import { corpus, finds } from './search-corpus.ts';

const startedAt = Date.UTC(2020, 2, 5, 12);

eachDatabase((_name, open) => {
  let database: Database;
  const owners: string[] = [];
  const names = new Map<string, string>();

  beforeAll(async () => {
    database = await open();
    // Two users with the same recordings: neither finds the other's.
    for (const locale of ['de', null]) {
      const { id: ownerId } = await storeUser(database.queries, { locale });
      owners.push(ownerId);
      for (const [name, { title, label, people }] of Object.entries(corpus)) {
        const { id } = await storeRecording(database.queries, {
          owner_id: ownerId,
          title,
          people: JSON.stringify(people),
          started_at: startedAt,
        });
        await storeMarker(database.queries, { recording_id: id, created_by: ownerId, label });
        await reindexRecording(database.queries, id);
        names.set(id, name);
      }
    }
  });

  const found = async (search: string, owner = 0): Promise<string[]> => {
    const { items: ids, total } = await findPage(database, {
      ownerId: owners[owner] ?? '',
      query: listRecordingsQuerySchema.parse({ search, limit: 200 }),
      present: async (found) => [...found],
    });
    expect(total).toBe(ids.length);
    return ids.map((id) => names.get(id) ?? '').sort();
  };

  test.each(finds)('%s', async (typed, expected) => {
    expect(await found(typed)).toEqual(expected.toSorted());
  });

  test.each(finds)('gives the same result by either query plan: %s', async (typed) => {
    const wanted = wantedWordsOf(typed);
    if (wanted === null) return;
    const search = searchFor(database.dialect, owners[0] ?? '', wanted);
    const idsBy = async (condition: typeof search.byIndex) =>
      (
        await database.queries
          .selectFrom('recordings')
          .select('id')
          .where('owner_id', '=', owners[0] ?? '')
          .where(condition)
          .orderBy('id')
          .execute()
      ).map(({ id }) => id);
    expect(await idsBy(search.byWords)).toEqual(await idsBy(search.byIndex));
  });

  describe('a date', () => {
    test.each(['2020', '2020-03-05', '5 march', '2020 marc'])(
      'is found by its numbers and its English month: %s',
      async (typed) => {
        expect(await found(typed)).toHaveLength(Object.keys(corpus).length);
      },
    );

    test("is found in the owner's language", async () => {
      expect([(await found('märz')).length, (await found('märz', 1)).length]).toEqual([
        Object.keys(corpus).length,
        0,
      ]);
    });
  });
});
