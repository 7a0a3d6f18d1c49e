import { onTestFinished, type TestContext } from 'vitest';
import { findPostgres, startPostgres } from '#scripts/postgres-for-tests.ts';
import { fillUp, smallFileSystem } from './small-file-system.ts';

/**
 * Starts a PostgreSQL server on a small disk of its own, both of which end with the test. Skips the test where that is
 * impossible. `fill` fills the disk; deleting the file at the returned path frees the space.
 */
export async function postgresOnSmallDisk(
  skip: TestContext['skip'],
): Promise<{ url: string; fill: () => string }> {
  const bin = findPostgres();
  if (bin === null) return skip('the programs of PostgreSQL are not installed');
  const disk = smallFileSystem(160);
  if (typeof disk === 'string') return skip(disk);
  onTestFinished(disk.unmount);
  const postgres = await startPostgres(bin, { parent: disk.directory });
  onTestFinished(() => postgres.stop());
  return { url: postgres.url, fill: () => fillUp(disk.directory) };
}
