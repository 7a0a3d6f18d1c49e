import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { systemClock, type Clock } from '#base/clock.ts';
import { minute, second } from '#base/duration.ts';
import {
  DatabaseUnusableError,
  type ConstraintKind,
  type Database,
  type Queries,
} from '#server/storage/database/database.ts';
import { guardedDatabase } from '#server/storage/database/guarded-database.ts';
import { assertMigrated, migrate } from '#server/storage/database/migrate.ts';
import { migrations } from '#server/storage/database/migrations/all-migrations.ts';
import type { Migration } from '#server/storage/database/migration.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import { makeFolder } from '#server/storage/make-folder.ts';
import { copyBeforeMigration, type DatabaseCopy } from './copy-before-migration.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';

/** Before 3.51.3, a checkpoint that coincided with a WAL reset could corrupt the file. */
const oldestVersion = [3, 51, 3];

/** SQLite's extended result codes: https://sqlite.org/rescode.html */
const constraintKinds = new Map<number, ConstraintKind>([
  [1555, 'unique'],
  [2067, 'unique'],
  [787, 'foreign-key'],
]);

function constraintOf(error: unknown): ConstraintKind | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return constraintKinds.get(error.errcode) ?? null;
}

function assertVersion(version: string): void {
  const parts = version.split('.').map(Number);
  const different = oldestVersion.findIndex((oldest, index) => parts[index] !== oldest);
  const at = different === -1 ? 0 : different;
  if ((parts[at] ?? 0) < (oldestVersion[at] ?? 0))
    throw new DatabaseUnusableError(
      'engine',
      `SQLite ${oldestVersion.join('.')} or newer is needed, this Node.js brings ${version}; run the Node that "npm ci" installs`,
    );
}

function readPragma(connection: DatabaseSync, name: string): unknown {
  return Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0];
}

/**
 * Page cache in KiB (negative by SQLite's convention): large enough to search a library of 100,000 recordings
 * without reading it from the file again and again.
 */
const cacheSize = -32 * 1024;

/**
 * Applies the settings that durability depends on and reads them back, because a rejected pragma fails silently.
 */
function configure(connection: DatabaseSync): void {
  assertVersion(String(Object.values(connection.prepare('select sqlite_version()').get() ?? {})[0]));
  connection.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma mmap_size = 0',
  );
  connection.exec(`pragma cache_size = ${cacheSize}`);
  for (const [name, wanted] of [
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['mmap_size', 0],
  ] as const) {
    const found = readPragma(connection, name);
    if (found !== wanted)
      throw new DatabaseUnusableError(
        'engine',
        `SQLite pragma ${name} must be ${wanted}, found ${JSON.stringify(found)}; does the file system support shared memory (a network share may not)?`,
      );
  }
}

/** Far shorter than an operator would wait, and far longer than a checkpoint takes. */
const checkpointEveryMs = 2 * minute;

/**
 * Moves the write-ahead log into the database file regularly. SQLite does so automatically only after 1,000 pages,
 * and until then a copy of the file alone would be empty.
 * @returns a function that stops the checkpoints
 */
function checkpointRegularly(connection: DatabaseSync, everyMs: number): () => void {
  const checkpoint = (): void => {
    try {
      // SQLite rejects a checkpoint inside a transaction of the same connection.
      if (!connection.isTransaction) connection.exec('pragma wal_checkpoint(passive)');
    } catch {
      // The disk is full, or another program is reading. Nothing is lost: the log is complete, and the next
      // checkpoint retries.
    }
  };
  checkpoint();
  const timer = setInterval(checkpoint, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

/**
 * Reads from a connection of its own: in WAL mode, a transaction that only reads sees one moment and blocks no writer.
 */
async function readSnapshot<T>(path: string, work: (queries: Queries) => Promise<T>): Promise<T> {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: 30 * second });
  const kysely = new Kysely<Schema>({ dialect: nodeSqliteDialect(connection) });
  try {
    connection.exec('begin');
    // The moment is that of the first read.
    connection.prepare('select count(*) from sqlite_master').get();
    return await work(kysely);
  } finally {
    await kysely.destroy();
    if (connection.isOpen) connection.close();
  }
}

/**
 * Opens the embedded database, migrates its schema and holds the only writing connection.
 * @param options.path a file; its directory is created if missing
 * @param options.migrates whether pending migrations run; otherwise they are an error
 * @param options.whenNoRecording called before any change if the database has never contained a recording
 * @param options.upTo the last migration to run; all if absent
 * @param options.onCopy called with the copy of the file that is made before a migration which older versions don't
 * support, or its failure; no copy is made without it
 * @param options.restoreId the backup or move that fills the database, if it is new
 * @throws Error when the file cannot be opened, the engine is too old or a durability setting has no effect
 */
export async function openSqliteDatabase(options: {
  path: string;
  migrates?: boolean;
  clock?: Clock;
  whenNoRecording?: () => void;
  checkpointEveryMs?: number;
  upTo?: string;
  isRestore?: boolean;
  restoreId?: string;
  onCopy?: (copy: DatabaseCopy) => void;
  code?: readonly Migration[];
}): Promise<Database> {
  await makeFolder(dirname(options.path));
  const connection = new DatabaseSync(options.path, { timeout: 5 * second });
  try {
    configure(connection);
    const kysely = new Kysely<Schema>({ dialect: nodeSqliteDialect(connection) });
    // A transaction locks the whole database, so there is no row to lock.
    const database = guardedDatabase({
      dialect: 'sqlite',
      kysely,
      snapshot: (work) => readSnapshot(options.path, work),
      lockUser: () => Promise.resolve(),
      waitingForConnection: () => null,
      constraintOf,
      isDeadlock: () => false,
    });
    if (options.migrates === false) await assertMigrated(database);
    else {
      const { path, code = migrations, onCopy } = options;
      const copy = onCopy === undefined ? null : copyBeforeMigration(connection, { path, code });
      if (copy !== null) onCopy?.(copy);
      await migrate(database, options.clock ?? systemClock, options);
    }
    const stop = checkpointRegularly(connection, options.checkpointEveryMs ?? checkpointEveryMs);
    return {
      ...database,
      close: async () => {
        stop();
        await database.close();
      },
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}
