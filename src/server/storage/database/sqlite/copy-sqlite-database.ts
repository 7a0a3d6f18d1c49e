import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { second } from '#base/duration.ts';

/**
 * Writes a consistent copy of an embedded database, its write-ahead log included, even while a server is changing
 * it. The copy gets its name once it is complete and synced.
 * @throws Error of SQLite when the database cannot be read or the copy cannot be written; Error with code ENOENT
 * when there is no database
 */
export async function copySqliteDatabase({ from, to }: { from: string; to: string }): Promise<void> {
  // Opening it would create an empty database.
  if (!existsSync(from))
    throw Object.assign(new Error(`${from} does not exist`), { code: 'ENOENT', path: from });
  const unfinished = `${to}.unfinished`;
  const connection = new DatabaseSync(from, { timeout: 30 * second });
  try {
    connection.prepare('vacuum into ?').run(unfinished);
  } finally {
    connection.close();
  }
  const file = await open(unfinished, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, to);
}
