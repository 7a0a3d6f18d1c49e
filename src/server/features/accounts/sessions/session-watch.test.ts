import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeSession, storeUser } from '#tests/support/factories.ts';
import { SessionWatch } from './session-watch.ts';

eachDatabase((name, open) => {
  test(`on ${name}, only connections of sessions deleted from the database are closed`, async () => {
    const database = await open();
    const user = await storeUser(database.queries);
    const [lasting, ended] = [
      await storeSession(database.queries, { user_id: user.id }),
      await storeSession(database.queries, { user_id: user.id }),
    ];
    const endedIds: string[] = [];
    const watch = new SessionWatch({
      database,
      openSessionIds: () => [lasting.id, ended.id],
      onSessionEnded: (id) => {
        endedIds.push(id);
      },
    });
    await watch.check();
    expect(endedIds).toEqual([]);
    await database.queries.deleteFrom('sessions').where('id', '=', ended.id).execute();
    await watch.check();
    expect(endedIds).toEqual([ended.id]);
  });
});
