import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeMarker, storeRecording, storeUser } from '#tests/support/factories.ts';
import { lockRecordings } from '#server/storage/rows/lock-recordings.ts';
import { reindexRecording } from './search-index.ts';

/** Longer than an uncontended transaction takes to read and write. */
const readingMs = 300;

eachDatabase((_name, open) => {
  const start = async () => {
    const database = await open();
    const { id: userId } = await storeUser(database.queries);
    const { id } = await storeRecording(database.queries, { owner_id: userId });
    const words = async (): Promise<string[]> =>
      (
        await database.queries
          .selectFrom('recording_words')
          .select('words')
          .where('recording_id', '=', id)
          .executeTakeFirstOrThrow()
      ).words.split(' ');
    return { database, userId, id, words };
  };

  test('finds both texts when two requests add one each to a recording at the same moment', async () => {
    const { database, userId, id, words } = await start();
    const add = (label: string, before: () => Promise<unknown>) =>
      database.transaction(async (transaction) => {
        await storeMarker(transaction, { recording_id: id, created_by: userId, label });
        await reindexRecording(transaction, id);
        await before();
      });
    const [reached, gate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const first = add('alpha', () => {
      reached.resolve(undefined);
      return gate.promise;
    });
    await reached.promise;
    const second = add('beta', async () => undefined);
    await sleep(readingMs);
    gate.resolve(undefined);
    await Promise.all([first, second]);
    expect(await words()).toEqual(expect.arrayContaining(['alpha', 'beta']));
  });

  test('deleting a text while its recording is purged waits, and neither request fails', async () => {
    const { database, userId, id } = await start();
    const marker = await storeMarker(database.queries, { recording_id: id, created_by: userId });
    const [reached, gate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const removed = database.transaction(async (transaction) => {
      await lockRecordings(transaction, [id]);
      await transaction.deleteFrom('markers').where('id', '=', marker.id).execute();
      reached.resolve(undefined);
      await gate.promise;
      await reindexRecording(transaction, id);
    });
    await reached.promise;
    const purged = database.transaction((transaction) =>
      transaction.deleteFrom('recordings').where('id', '=', id).execute(),
    );
    await sleep(readingMs);
    gate.resolve(undefined);
    await Promise.all([removed, purged]);
    expect(await database.queries.selectFrom('recordings').select('id').execute()).toEqual([]);
  });
});
