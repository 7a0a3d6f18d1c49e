import { systemClock } from '#base/clock.ts';
import type { Config } from '#server/config.ts';
import { configuredKey, secretKeyPathOf } from '#server/secret-key.ts';
import { codeOf } from '#base/errors/code-of.ts';
import { isUnavailableError } from '#base/errors/unavailable.ts';
import { type BlobStore, BlobSpaceError } from '#server/storage/blobs/blob-store.ts';
import type { Database, Queries } from '#server/storage/database/database.ts';
import { ranMigrations } from '#server/storage/database/migrate.ts';
import {
  createRestoreMarker,
  moveIdOf,
  readRestoreMarker,
  removeRestoreMarker,
} from '#server/storage/database/restore-marker.ts';
import {
  createUnfinishedMove,
  hasUnfinishedMove,
  removeUnfinishedMove,
} from '#server/storage/database/unfinished-move.ts';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';
import { readLineage, renewLineage } from '#server/storage/rows/backup-lineage.ts';
import { hasRows } from '#server/storage/tables/has-rows.ts';
import { tableShapesOf } from '#server/storage/tables/table-shape.ts';
import { closeAll } from './close-all.ts';
import { fullSentence } from './explain/explain-files.ts';
import { explainPostgres } from './explain/explain-postgres.ts';
import { rejectOtherBucket } from './lost-database.ts';
import { movedMarkerOf, wasMoved } from './moved-place.ts';
import { recordedFingerprint } from './secret-fingerprint.ts';
import { StartError, type Explain } from '#server/start-error.ts';
import { type DatabaseLock, lockDatabase, openBlobs, openDatabase } from './stores.ts';

/** The old and the new place of an installation that is being moved. */
export interface OpenMove {
  from: { database: Database; blobs: BlobStore };
  to: { database: Database; blobs: BlobStore };
  /** The tables stay where they are. */
  isSameDatabase: boolean;
  /** An attempt that did not complete has filled the tables. */
  areTablesFilled: boolean;
  /** An earlier attempt has moved everything, and the old place was not used since. */
  isComplete: boolean;
  lock: DatabaseLock;
  /** Lets servers start on the new place. */
  complete(): Promise<void>;
  closers: (() => Promise<void>)[];
}

/** @throws StartError when the new place would have another secret key than the database needs */
async function assertSameKey(config: Config, target: Config, from: Database): Promise<string> {
  const recorded = await recordedFingerprint(from);
  if (recorded === null)
    throw new StartError('No server has started on this installation: there is nothing to move.');
  const present = fingerprintOf(configuredKey(target.secretKey));
  if (present === recorded) return recorded;
  const path = secretKeyPathOf(config.dataDir);
  const remedy =
    config.secretKey === ''
      ? `set it to "base64:" followed by the output of "base64 -w0 ${path}"`
      : 'set it to the SECRET_KEY of the old place';
  throw new StartError(
    `SECRET_KEY of the new place (fingerprint ${present}) is not the key of this installation (fingerprint ${recorded}): ${remedy}.`,
  );
}

const notEmpty = (): StartError =>
  new StartError(
    'The database of the new place is not empty: set DATABASE_URL to an empty one, or to exactly the DATABASE_URL of the old place to leave the database there.',
  );

const movedBefore = (config: Config): StartError =>
  new StartError(
    `This installation was moved before, and the move is complete: start the server with the settings of the new place, or delete ${movedMarkerOf(config)} to use the old one again.`,
  );

interface TargetState {
  database: Database;
  areTablesFilled: boolean;
  close: () => Promise<void>;
}

/**
 * Opens the database of the new place, which must be empty or contain what the same move has copied.
 * @throws StartError for a known reason; `rejectUsed` makes that of a database with other rows
 */
async function openTargetDatabase(
  target: Config,
  { from, moveId, rejectUsed }: { from: Database; moveId: string; rejectUsed: () => StartError },
): Promise<TargetState> {
  const migrations = await ranMigrations(from.queries);
  const upTo = migrations.at(-1) ?? '';
  const database = await openDatabase(target, { migrates: true, upTo, isRestore: true, restoreId: moveId });
  const close = (): Promise<void> => database.close();
  try {
    const marker = await readRestoreMarker(database.queries, database.dialect);
    if (marker !== null && marker.backup !== moveId)
      throw new StartError(
        `The database of the new place contains a part of something else (${marker.backup}): set DATABASE_URL to an empty one.`,
      );
    if (marker === null) {
      if ((await ranMigrations(database.queries)).join() !== migrations.join()) throw rejectUsed();
      if (await hasRows(database, await tableShapesOf(database.queries, database.dialect)))
        throw rejectUsed();
      await createRestoreMarker(database, moveId);
    }
    return { database, areTablesFilled: marker?.areTablesFilled ?? false, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The new place continues the backups of the old one. It gets a lineage of its own, so that a server that is started on
 * the old place again after all does not delete what the new place has backed up, nor the reverse.
 */
async function continueBackups(from: Database, to: Queries): Promise<void> {
  const lineage = await readLineage(from.queries);
  await renewLineage(to, { madeBy: 'move', nowMs: systemClock.nowMs(), continues: lineage?.id ?? null });
  const rows = await from.queries.selectFrom('backups').selectAll().where('state', '!=', 'running').execute();
  if (rows.length === 0) return;
  await to
    .insertInto('backups')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Opens both places, marks the new one as unfinished, and checks that it is the right one.
 * @throws StartError for a known reason, after closing everything again
 */
export async function openMove(config: Config, target: Config): Promise<OpenMove> {
  const closers: (() => Promise<void>)[] = [];
  const isSameDatabase = target.databaseUrl === config.databaseUrl;
  try {
    const database = await openDatabase(config, { migrates: false });
    closers.push(() => database.close());
    const moveId = moveIdOf(await assertSameKey(config, target, database));
    const lock = await lockDatabase(target);
    closers.push(() => lock.release());
    const isMarked = wasMoved(config);
    if (isMarked && isSameDatabase && !(await hasUnfinishedMove(database))) throw movedBefore(config);
    const to: TargetState = isSameDatabase
      ? { database, areTablesFilled: true, close: () => Promise.resolve() }
      : await openTargetDatabase(target, {
          from: database,
          moveId,
          rejectUsed: () => (isMarked ? movedBefore(config) : notEmpty()),
        });
    closers.push(to.close);
    await createUnfinishedMove(to.database);
    const from = await openBlobs(config, { isReader: true });
    closers.push(() => from.close());
    const blobs = await openBlobs(target, {
      needsObjects: true,
      onObjectsChanged: (error) => {
        if (error !== null)
          process.stderr.write(
            `Bytes cannot be moved to the object store at the moment, and wait in the database: ${error instanceof Error ? error.message : 'unknown error'}\n`,
          );
      },
      check: rejectOtherBucket,
    });
    closers.push(() => blobs.close());
    return {
      from: { database, blobs: from },
      to: { database: to.database, blobs },
      isSameDatabase,
      areTablesFilled: to.areTablesFilled,
      isComplete: isMarked && to.areTablesFilled,
      lock,
      complete: () =>
        to.database.transaction(async (transaction) => {
          if (!isSameDatabase) await continueBackups(database, transaction);
          await removeUnfinishedMove(transaction);
          await removeRestoreMarker(transaction);
        }),
      closers,
    };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

export const closeMove = ({ closers }: OpenMove): Promise<void> => closeAll(closers);

const continues = 'Run the command again to continue.';

/** Explains what interrupts a move that is running: the marker at the old place is the only file that it writes. */
export const explainMove =
  (config: Pick<Config, 'dataDir'>, target: Config): Explain =>
  (error) => {
    if (error instanceof BlobSpaceError)
      return `The object store of STORAGE_URL accepts no more bytes, and HOT_LIMIT_BYTES of them wait in the database: check the space and the permissions of the bucket. ${continues}`;
    if (isUnavailableError(error))
      return `The new place does not respond: ${error instanceof Error ? error.message : String(error)}. ${continues}`;
    const isFull = ['ENOSPC', 'EDQUOT'].includes(codeOf(error));
    const explanation = isFull
      ? fullSentence(config.dataDir, '')
      : explainPostgres(target.databaseUrl)(error);
    return explanation === null ? null : `${explanation} ${continues}`;
  };
