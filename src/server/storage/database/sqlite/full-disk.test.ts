import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { storeRecording, storeUser } from '#tests/support/factories.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import { openSqliteDatabase } from './open-sqlite-database.ts';

test('reports a full disk as the reason of a failed transaction, and works again once there is space', async ({
  skip,
}) => {
  const disk = smallFileSystem(8);
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  const database = await openSqliteDatabase({ path: join(disk.directory, 'earshot.db') });
  onTestFinished(() => database.close());
  const { id } = await storeUser(database.queries);
  const filler = fillUp(disk.directory);
  // More than the page cache holds, so that pages are written before the transaction ends.
  const error: unknown = await database
    .transaction(async (transaction) => {
      for (let index = 0; index < 200; index += 1)
        await storeRecording(transaction, { owner_id: id, title: 'x'.repeat(200_000) });
    })
    .catch((reason: unknown) => reason);
  expect(error).toSatisfy(isNoSpaceError);
  rmSync(filler);
  expect(
    await database.transaction((transaction) => storeRecording(transaction, { owner_id: id })),
  ).toMatchObject({ owner_id: id });
});
