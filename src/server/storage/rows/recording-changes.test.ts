import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '#tests/support/databases.ts';
import { storeRecording, storeUser } from '#tests/support/factories.ts';
import { withoutLimits } from '#tests/support/without-limits.ts';
import { changesOf, recordChange } from './recording-changes.ts';

eachDatabase((_dialect, open) => {
  const start = async () => {
    const database = await open();
    const { id: ownerId } = await storeUser(database.queries);
    const { id: recordingId } = await storeRecording(database.queries, { owner_id: ownerId });
    const add = (at: number) =>
      recordChange(database.queries, { recording_id: recordingId, at, kind: 'reopened', device_label: '' });
    return { ...database, database, recordingId, add };
  };

  test('accepts and shows further changes in a history with an unreadable position', async () => {
    const { database, queries, recordingId, add } = await start();
    for (const at of [1, 2, 3]) await add(at);
    await withoutLimits(database);
    await sql`update recording_changes set position = 4611686018427387904 where position = 1`.execute(
      queries,
    );
    await sql`update recording_changes set position = -4611686018427387904 where position = 2`.execute(
      queries,
    );
    await add(4);
    await add(5);
    expect(
      (await changesOf(queries, recordingId)).map(({ at }) => at).toSorted((one, other) => one - other),
    ).toEqual([1, 2, 3, 4, 5]);
  });

  test('a skipped position does not collide with later ones', async () => {
    const { queries, recordingId, add } = await start();
    for (const at of [1, 2]) await add(at);
    await sql`update recording_changes set position = 3 where position = 1`.execute(queries);
    for (const at of [3, 4]) await add(at);
    expect((await changesOf(queries, recordingId)).map(({ at }) => at)).toEqual([1, 2, 3, 4]);
  });
});
