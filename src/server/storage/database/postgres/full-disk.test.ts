import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { findPostgres, startPostgres } from '#scripts/postgres-for-tests.ts';
import { fillUp, smallFileSystem } from '#tests/support/small-file-system.ts';
import { openPostgresDatabase } from './open-postgres-database.ts';

test('reports a full disk as the reason why a database cannot be opened, and opens it once there is space', async ({
  skip,
}) => {
  const bin = findPostgres();
  const disk = smallFileSystem(160);
  if (bin === null) return skip('the programs of PostgreSQL are not installed');
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  const postgres = await startPostgres(bin, { parent: disk.directory });
  onTestFinished(() => postgres.stop());
  const filler = fillUp(disk.directory);
  await expect(openPostgresDatabase({ url: postgres.url })).rejects.toSatisfy(isNoSpaceError);
  rmSync(filler);
  await (await openPostgresDatabase({ url: postgres.url })).close();
});
