import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import { parseStorageUrl } from '#server/storage/blobs/storage-url.ts';
import { DatabaseUnusableError, type Database } from '#server/storage/database/database.ts';
import { isMoveId } from '#server/storage/database/restore-marker.ts';
import { copiesBeside, type DatabaseCopy } from '#server/storage/database/sqlite/copy-before-migration.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { makeFolder } from '#server/storage/make-folder.ts';
import { explainFiles } from './explain/explain-files.ts';
import { explainPostgres } from './explain/explain-postgres.ts';
import { explainAccess, explainSqlite } from './explain/explain-sqlite.ts';
import { rejectLostDatabase } from './lost-database.ts';
import { lockServer, type ServerLock } from './server-lock.ts';
import { explained, StartError, type Explain } from '#server/start-error.ts';
import { openTieredBlobs, type OpenBlobsOptions, s3SettingsOf } from './tiered-blobs.ts';

/** The path of the embedded database of an installation. */
const sqlitePathOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'earshot.db');

const reasons: Record<DatabaseUnusableError['reason'], (database: string, detail: string) => string> = {
  newer: (database, detail) =>
    `${database} was made by a newer version of Earshot (it has ${detail}): start that version, or restore a backup that this version made.`,
  older: (database, detail) =>
    `${database} is from an older version of Earshot (it lacks ${detail}): run "npm run earshot -- migrate", or start the server once.`,
  busy: (database, detail) =>
    `${database} could not be migrated: ${detail}: end long transactions (pg_stat_activity shows them), then start again.`,
  foreign: (database, detail) =>
    `${database} belongs to another program (it has ${detail}): set DATABASE_URL or DATA_DIR to one of Earshot's own.`,
  restoring: (database, detail) =>
    isMoveId(detail)
      ? `${database} contains a part of an installation whose move is not complete: stop the server on the old place, and run "earshot move --finish" with its settings.`
      : `${database} contains a part of the backup ${detail}, whose restore is running or was interrupted: run "earshot restore" again to continue it.`,
  engine: (database, detail) => `${database} cannot be used: ${detail}.`,
};

/** The sentence about the copy from before the update, if there is one. */
function copyText(path: string): string {
  const [copy] = existsSync(path) ? copiesBeside(path) : [];
  return copy === undefined
    ? ''
    : ` ${copy} is a copy from before the update: to go back without what has changed since, see docs/upgrading.md.`;
}

const mib = 1024 * 1024;

/** Prints what came of the copy before a migration: the log has not begun, and commands have none. */
function reportCopy(copy: DatabaseCopy): void {
  const { before } = copy;
  if (copy.copied)
    process.stderr.write(
      `Versions before ${before} don't support the database after this start. It was copied to ${copy.path} first.\n`,
    );
  else {
    const { error, neededBytes, freeBytes } = copy;
    const reason =
      freeBytes === null
        ? String(error)
        : `it needs ${Math.ceil(neededBytes / mib)} MiB, and ${Math.floor(freeBytes / mib)} MiB are free`;
    process.stderr.write(
      `The database could not be copied before migration ${before} (${reason}). To go back to the version before, you need a backup.\n`,
    );
  }
}

/** Explains every failure of the configured database. */
function explainDatabase(config: Config): Explain {
  const path = sqlitePathOf(config);
  const isEmbedded = config.databaseUrl === '';
  const explain = isEmbedded ? explainSqlite(path, config.dataDir) : explainPostgres(config.databaseUrl);
  const name = isEmbedded ? `The database ${path}` : 'The database of DATABASE_URL';
  return (error) =>
    error instanceof DatabaseUnusableError
      ? reasons[error.reason](name, error.detail) +
        (isEmbedded && error.reason === 'newer' ? copyText(path) : '')
      : explain(error);
}

/** Runs a step of the start that reads or writes the database. */
export const withDatabase = <T>(config: Config, step: () => Promise<T>): Promise<T> =>
  explained(explainDatabase(config), step);

/** Creates `DATA_DIR` if it is missing. */
async function makeDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  await explained(explainFiles(dataDir), () => makeFolder(dataDir, { mode: 0o700 }));
}

/**
 * Makes this process the only server of `DATA_DIR`.
 * @throws StartError when another server uses it, or the folder cannot be used
 */
export async function lockDataDir(config: Config): Promise<ServerLock> {
  await makeDataDir(config);
  const path = sqlitePathOf(config);
  return explained(explainSqlite(join(config.dataDir, 'server.lock'), config.dataDir), () =>
    lockServer({ directory: config.dataDir, database: config.databaseUrl === '' ? path : null }),
  );
}

/** An arbitrary number, other than that of migrations. */
const fillingLock = 20_361_205;

/** Held by the one command that fills a database. */
export interface DatabaseLock {
  /** @throws StartError when the connection to the database was lost in the meantime */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Makes this process the only one that restores or moves an installation into the configured database, whatever
 * machines the others run on. The lock of `DATA_DIR` protects the embedded database.
 * @throws StartError when another one does
 */
export async function lockDatabase(config: Config): Promise<DatabaseLock> {
  if (config.databaseUrl === '')
    return { assertHeld: () => Promise.resolve(), release: () => Promise.resolve() };
  const { lockPostgres } = await import('#server/storage/database/postgres/postgres-lock.ts');
  const lock = await withDatabase(config, () => lockPostgres(config.databaseUrl, fillingLock));
  if (lock === null)
    throw new StartError(
      'Another restore or move into the database of DATABASE_URL is running: wait until it has finished, or stop it.',
    );
  return {
    async assertHeld() {
      if (!(await lock.isHeld()))
        throw new StartError(
          'The connection to the database of DATABASE_URL was lost: run the command again to continue.',
        );
    },
    release: () => lock.release(),
  };
}

/** Gives the database of the newest bytes, if they have one of their own, the same schema as the other one. */
async function prepareHotDatabase(config: Config, { migrates }: { migrates: boolean }): Promise<void> {
  const url = config.hotDatabaseUrl;
  if (url === '' || parseStorageUrl(config.storageUrl) === null) return;
  const { openPostgresDatabase } =
    await import('#server/storage/database/postgres/open-postgres-database.ts');
  const explain = explainDatabase({ ...config, databaseUrl: url });
  await explained(
    (error) => explain(error)?.replaceAll('DATABASE_URL', 'HOT_DATABASE_URL') ?? null,
    async () => (await openPostgresDatabase({ url, connections: 1, migrates })).close(),
  );
}

/**
 * Rejects a folder without a database, which a command must not create.
 * @throws StartError
 */
export function assertInstallation(config: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (config.databaseUrl === '' && !existsSync(sqlitePathOf(config)))
    throw new StartError(
      `There is no installation in DATA_DIR=${config.dataDir}: set DATA_DIR to the folder that the server uses.`,
    );
}

/**
 * Opens the configured database. PostgreSQL's driver is loaded only if it is used.
 * @param options.migrates whether pending migrations run; otherwise they are an error
 * @param options.upTo the last migration to run on an empty database whose recordings are being restored
 * @param options.isRestore whether the caller restores a backup; others are rejected until that has ended
 * @param options.restoreId the backup or move that fills the database: if it is new, it is marked as unfinished
 * @throws StartError when it cannot be opened for a known reason
 */
export async function openDatabase(
  config: Config,
  {
    migrates,
    upTo,
    isRestore = false,
    restoreId,
  }: { migrates: boolean; upTo?: string; isRestore?: boolean; restoreId?: string },
): Promise<Database> {
  await makeDataDir(config);
  const whenNoRecording = (): void => {
    if (upTo === undefined) rejectLostDatabase(config);
  };
  const migrating = {
    migrates,
    isRestore,
    ...(upTo === undefined ? {} : { upTo }),
    ...(restoreId === undefined ? {} : { restoreId }),
  };
  return withDatabase(config, async () => {
    if (config.databaseUrl === '') {
      const path = sqlitePathOf(config);
      const barred = explainAccess(path, config.dataDir);
      if (barred !== null) throw new StartError(barred);
      // SQLite deletes a write-ahead log next to an empty database file, and with it data that could be recovered.
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) whenNoRecording();
      return openSqliteDatabase({
        path,
        whenNoRecording,
        ...(isRestore ? {} : { onCopy: reportCopy }),
        ...migrating,
      });
    }
    const { openPostgresDatabase } =
      await import('#server/storage/database/postgres/open-postgres-database.ts');
    await prepareHotDatabase(config, { migrates });
    return openPostgresDatabase({
      url: config.databaseUrl,
      connections: config.databasePool,
      whenNoRecording,
      ...migrating,
    });
  });
}

/**
 * Opens the configured blob store.
 * @throws StartError when it cannot be opened for a known reason
 */
export async function openBlobs(config: Config, options: OpenBlobsOptions = {}): Promise<BlobStore> {
  const settings = s3SettingsOf(config);
  if (settings !== null) return openTieredBlobs(config, settings, options);
  const { isReader, openFiles } = options;
  return explained(explainFiles(config.dataDir), () =>
    openDiskBlobStore({
      directory: join(config.dataDir, 'blobs'),
      ...(isReader === undefined ? {} : { isReader }),
      ...(openFiles === undefined ? {} : { openFiles }),
    }),
  );
}
