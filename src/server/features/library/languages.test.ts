import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording, storeUser } from '#tests/support/factories.ts';
import { findPage } from './find-recordings.ts';

const present = async (ids: readonly string[]) => [...ids];

const page = { trashed: 'false', sort: 'newest', limit: 50 } as const;

eachDatabase((_name, open) => {
  test('a language matches its regions, in any case and with any number of languages', async () => {
    const database = await open();
    const { id: ownerId } = await storeUser(database.queries);
    const { id: otherId } = await storeUser(database.queries, { email: 'other@example.org' });
    const store = (language: string | null, index: number) =>
      storeRecording(database.queries, { owner_id: ownerId, language, started_at: -index });
    const meant = [];
    for (const [index, language] of ['de', 'DE', 'de-AT', 'De-Latn-CH'].entries())
      meant.push((await store(language, index)).id);
    for (const [index, language] of ['den', 'en', 'd', null].entries()) await store(language, 10 + index);
    await storeRecording(database.queries, { owner_id: otherId, language: 'de' });
    await storeRecording(database.queries, { owner_id: ownerId, language: 'de', deleted_at: 1 });
    const found = async (language: string) => {
      const { items: ids, total } = await findPage(database, {
        ownerId,
        query: { ...page, language },
        present,
      });
      expect(total).toBe(ids.length);
      return ids;
    };
    expect(await found('de')).toEqual(meant);
    expect(await found('dE-aT')).toEqual([meant[2]]);
    expect(await found('fr')).toEqual([]);
    expect(await found('und')).toHaveLength(1);
    expect(
      (await findPage(database, { ownerId, query: { ...page, trashed: 'true', language: 'de' }, present }))
        .items,
    ).toHaveLength(1);
    for (let index = 0; index < 210; index += 1) await store(`en-x-${index}`, 100 + index);
    expect(await found('de')).toEqual(meant);
  });
});
