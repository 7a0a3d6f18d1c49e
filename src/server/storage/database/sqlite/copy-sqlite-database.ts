import { existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { second } from '#base/duration.ts';

/**
 * Writes a consistent copy of an embedded database, its log included, while a server may go on changing it.
 * The copy has its name only once it is whole and on the disk.
 * @throws Error of SQLite where the database cannot be read or the copy not be written; Error with code ENOENT where there is none
 */
export async function copySqliteDatabase({ from, to }: { from: string; to: string }): Promise<void> {
  // Opening it would make an empty one.
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
