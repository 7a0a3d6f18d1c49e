import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { sqliteCodeOf } from './error-codes.ts';
import { StartError } from '#server/start-error.ts';

/** A lock that this process holds while it runs; the system releases it however the process ends. */
export interface ServerLock {
  release: () => void;
}

const busy = 5;
const lockName = 'server.lock';
/** Describes the lock's holder for the error message only; the system decides whether the lock is held. */
const holderName = 'server.json';
const holderSchema = z.object({ pid: z.number(), host: z.string(), startedAt: z.string() });

function describeHolder(directory: string): string {
  try {
    const { pid, host, startedAt } = holderSchema.parse(
      JSON.parse(readFileSync(join(directory, holderName), 'utf8')),
    );
    return ` (process ${pid} on ${host}, started ${startedAt})`;
  } catch {
    return '';
  }
}

function writeHolder(directory: string): void {
  const path = join(directory, holderName);
  try {
    writeFileSync(
      path,
      JSON.stringify({ pid: process.pid, host: hostname(), startedAt: new Date().toISOString() }),
    );
  } catch {
    // The disk is full. The content of an earlier process would name the wrong one.
    rmSync(path, { force: true });
  }
}

function lockDirectory(directory: string): ServerLock {
  // SQLite locks the file with each system's own mechanism and writes nothing to it.
  const lock = new DatabaseSync(join(directory, lockName), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((sqliteCodeOf(error) & 0xff) !== busy) throw error;
    throw new StartError(
      `Another Earshot server${describeHolder(directory)} is already using ${directory}: stop it, or set another DATA_DIR for this one.`,
      { isTemporary: true },
    );
  }
  writeHolder(directory);
  return {
    release() {
      rmSync(join(directory, holderName), { force: true });
      lock.close();
    },
  };
}

/**
 * Makes this process the only server of a folder, and of the folder that its embedded database is actually in.
 * @param options.database the path of the embedded database, or null
 * @throws StartError when another server holds one of them; an error of SQLite when the folder cannot be written
 */
export function lockServer({
  directory,
  database,
}: {
  directory: string;
  database: string | null;
}): ServerLock {
  const folders = [
    realpathSync(directory),
    ...(database !== null && existsSync(database) ? [dirname(realpathSync(database))] : []),
  ];
  const locks: ServerLock[] = [];
  const release = (): void => {
    for (const lock of locks.toReversed()) lock.release();
  };
  try {
    for (const folder of new Set(folders)) locks.push(lockDirectory(folder));
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}
