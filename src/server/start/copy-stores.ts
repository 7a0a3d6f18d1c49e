import { copyFile, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Config } from '#server/config.ts';
import { secretKeyPathOf } from '#server/secret-key.ts';
import { copyBlobs } from '#server/storage/blobs/disk/copy-blobs.ts';
import { copySqliteDatabase } from '#server/storage/database/sqlite/copy-sqlite-database.ts';
import { codeOf, sqliteCodeOf } from './error-codes.ts';
import { freeBytes } from './explain/explain-files.ts';
import { explained, StartError, type Explain } from './start-error.ts';

const sqliteFull = 13;

function explainTarget(to: string): Explain {
  return (error) => {
    const code = codeOf(error);
    if (code === 'ENOSPC' || code === 'EDQUOT' || (sqliteCodeOf(error) & 0xff) === sqliteFull)
      return `The disk under ${to} is full (${Math.floor((freeBytes(to) ?? 0) / 1024)} KiB are free): free some space, or name a folder on another disk; delete the incomplete backup before you repeat it.`;
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      return `${error instanceof Error && 'path' in error ? String(error.path) : to} may not be read or written by this user: run the backup as the user of the server, and name a folder that this user may write in.`;
    if (code === 'EEXIST' || code === 'ENOTDIR') return `${to} is a file, or lies below one: name a folder.`;
    return null;
  };
}

async function emptyFolder(config: Config, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if ((await readdir(to)).length > 0)
    throw new StartError(`${to} is not empty: name a new folder for each backup.`);
  const [target, data] = [await realpath(to), await realpath(config.dataDir)];
  if (`${target}${sep}`.startsWith(`${data}${sep}`))
    throw new StartError(
      `${to} lies in DATA_DIR=${config.dataDir}: name a folder outside of it, on another disk if you can.`,
    );
}

async function copyKey(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Copies the embedded database and all blobs into an empty folder, while the server may run. Every blob in the
 * copied database is in the copy.
 * @throws StartError for a known reason
 */
export async function copyStores(
  config: Config,
  { to, withKey }: { to: string; withKey: boolean },
): Promise<void> {
  if (config.databaseUrl !== '')
    throw new StartError(
      'This installation keeps its database in PostgreSQL: run pg_dump for the database first, then copy DATA_DIR/blobs and secret.key (docs/self-hosting/README.md).',
    );
  const database = join(config.dataDir, 'earshot.db');
  const blobs = { from: join(config.dataDir, 'blobs'), to: join(to, 'blobs') };
  await explained(
    (error) =>
      codeOf(error) === 'ENOENT'
        ? `There is no installation in DATA_DIR=${config.dataDir}: set DATA_DIR to the folder that the server uses.`
        : explainTarget(to)(error),
    async () => {
      await realpath(database);
      await emptyFolder(config, to);
      // Copies most blobs first, which takes long; then the database; then the blobs that were added since.
      await copyBlobs(blobs);
      await copySqliteDatabase({ from: database, to: join(to, 'earshot.db') });
      await copyBlobs(blobs);
      if (withKey && config.secretKey === '')
        await copyKey(secretKeyPathOf(config.dataDir), secretKeyPathOf(to));
    },
  );
}
