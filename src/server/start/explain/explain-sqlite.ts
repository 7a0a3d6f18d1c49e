import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { sqliteCodeOf } from '#server/start/error-codes.ts';
import { explainFiles, freeBytes, fullSentence, isAllowed, notAllowedSentence } from './explain-files.ts';
import type { Explain } from '#server/start-error.ts';

/**
 * The size of the shared memory file that SQLite creates on opening a database, plus as much again for its
 * write-ahead log.
 */
const neededBytes = 64 * 1024;

/** Primary result codes: https://sqlite.org/rescode.html */
const primary = {
  permission: 3,
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  authorization: 23,
  notADatabase: 26,
};

/**
 * Explains why this user may not write an embedded database; null if they may. SQLite silently opens a read-only
 * file.
 */
export function explainAccess(path: string, dataDir: string): string | null {
  if (existsSync(path) && statSync(path).isDirectory())
    return `${path} is a folder, but must be the database: move it away, or set DATA_DIR to another folder.`;
  const barred = [dirname(path), path, `${path}-wal`, `${path}-shm`].find(
    (each) => existsSync(each) && !isAllowed(each),
  );
  return barred === undefined ? null : notAllowedSentence(barred, dataDir);
}

interface Failure {
  path: string;
  dataDir: string;
  error: unknown;
}

const access = ({ path, dataDir }: Failure): string | null => explainAccess(path, dataDir);

const sentences: Readonly<Record<number, (failure: Failure) => string | null>> = {
  [primary.notADatabase]: ({ path }) =>
    `${path} is not an Earshot database: restore it from a backup, or set DATA_DIR to another folder.`,
  [primary.corrupt]: ({ path, error }) =>
    `The database ${path} is damaged ("${error instanceof Error ? error.message : ''}"): restore it from a backup, or recover what can be read with "sqlite3 ${path} .recover".`,
  [primary.busy]: ({ path }) =>
    `The database ${path} is locked by another program: stop that program, then start again.`,
  [primary.full]: ({ dataDir }) => fullSentence(dataDir),
  [primary.io]: ({ path, dataDir, error }) =>
    (freeBytes(path) ?? neededBytes) < neededBytes
      ? fullSentence(dataDir)
      : `The disk under ${path} has failed (SQLite error ${sqliteCodeOf(error)}): check the system log and the disk.`,
  [primary.cannotOpen]: access,
  [primary.readOnly]: access,
  [primary.permission]: access,
  [primary.authorization]: access,
};

/** Explains why the embedded database cannot be opened, read or written. */
export function explainSqlite(path: string, dataDir: string): Explain {
  return (error) => {
    const sentence = sentences[sqliteCodeOf(error) & 0xff];
    return sentence === undefined ? explainFiles(dataDir)(error) : sentence({ path, dataDir, error });
  };
}
