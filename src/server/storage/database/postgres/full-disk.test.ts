import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { postgresOnSmallDisk } from '#tests/support/postgres-on-small-disk.ts';
import { openPostgresDatabase } from './open-postgres-database.ts';

test('reports a full disk as the reason why a database cannot be opened, and opens it once there is space', async ({
  skip,
}) => {
  const { url, fill } = await postgresOnSmallDisk(skip);
  const filler = fill();
  await expect(openPostgresDatabase({ url })).rejects.toSatisfy(isNoSpaceError);
  rmSync(filler);
  await (await openPostgresDatabase({ url })).close();
});
