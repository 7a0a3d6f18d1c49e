import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isSupportedBy, type Migration } from '#server/storage/database/migration.ts';

/** What came of the copy that is made before a migration that older versions don't support. */
export type DatabaseCopy =
  | { copied: true; path: string; before: string }
  /** `freeBytes` is null if the copy failed for another reason than space. */
  | { copied: false; before: string; error: unknown; neededBytes: number; freeBytes: number | null };

const copyPrefix = (path: string): string => `${basename(path)}.before-`;

/** Returns the copies beside a database file: one, or more if a start was interrupted. */
export function copiesBeside(path: string): string[] {
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => name.startsWith(copyPrefix(path)))
    .map((name) => join(folder, name));
}

/** The names of the migrations that a database has run, or an empty list for a new or foreign one. */
function ranIn(connection: DatabaseSync): string[] {
  try {
    const rows = connection.prepare('select name from schema_migrations order by name').all();
    return rows.map(({ name }) => String(name));
  } catch {
    return [];
  }
}

function pragma(connection: DatabaseSync, name: 'page_count' | 'page_size'): number {
  return Number(Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0]);
}

/** Writes a copy of one moment to a file, which has its name only once it is complete and on the disk. */
function copyTo(connection: DatabaseSync, path: string): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  try {
    connection.exec(`vacuum into '${part.replaceAll("'", "''")}'`);
    for (const each of [part, dirname(part)]) {
      const file = openSync(each, 'r');
      fsyncSync(file);
      closeSync(file);
    }
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/**
 * Copies the database to `….before-<migration>` if the code is about to run a migration that the version before does
 * not support, and deletes earlier copies. A copy that fails changes nothing: the migration runs without it, because
 * a server that does not start is worse than one that cannot go back.
 * @param path the file of the database
 * @param code the migrations that will run
 * @returns what was done; null if nothing was needed
 */
export function copyBeforeMigration(
  connection: DatabaseSync,
  { path, code }: { path: string; code: readonly Migration[] },
): DatabaseCopy | null {
  const ran = ranIn(connection);
  const newest = ran.at(-1);
  if (newest === undefined) return null;
  const oneWay = code.find((migration) => !ran.includes(migration.name) && !isSupportedBy(newest, migration));
  if (oneWay === undefined) return null;
  const before = oneWay.name;
  const copyPath = join(dirname(path), copyPrefix(path) + before);
  // The migration may write as much again.
  const neededBytes = 2 * pragma(connection, 'page_count') * pragma(connection, 'page_size');
  let freeBytes: number | null = null;
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    if (bavail * bsize < neededBytes) {
      freeBytes = bavail * bsize;
      throw new Error('the disk has too little space');
    }
    copyTo(connection, copyPath);
    for (const each of copiesBeside(path)) if (each !== copyPath) rmSync(each, { force: true });
    return { copied: true, path: copyPath, before };
  } catch (error) {
    return { copied: false, before, error, neededBytes, freeBytes };
  }
}
