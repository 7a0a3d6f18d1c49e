import { sql } from 'kysely';
import type { Database, Queries } from './database.ts';
import { hasTable } from './has-table.ts';

/**
 * The table exists only while a backup is being restored or an installation is being moved into the database. No
 * migration creates it.
 */
const markerName = 'unfinished_restore';

const movePrefix = 'move-';

/** The name of an installation that is being moved into a database, in place of the id of a backup. */
export const moveIdOf = (keyFingerprint: string): string => `${movePrefix}${keyFingerprint}`;

/** Whether a marker is that of a move. */
export const isMoveId = (backup: string): boolean => backup.startsWith(movePrefix);

/** Stored in the database, because servers on other machines do not see the files of the restore. */
export interface RestoreMarker {
  /** The id of the backup, or that of a move. */
  backup: string;
  /** Whether all rows of the backup are in the database, so that only newer migrations may be missing. */
  areTablesFilled: boolean;
}

/** Returns the restore into this database that has begun and not ended; null if there is none. */
export async function readRestoreMarker(
  queries: Queries,
  dialect: Database['dialect'],
): Promise<RestoreMarker | null> {
  if (!(await hasTable(queries, dialect, markerName))) return null;
  const { rows } = await sql<{ backup: string; is_filled: number }>`select backup, is_filled from ${sql.table(
    markerName,
  )}`.execute(queries);
  const [row] = rows;
  return { backup: row?.backup ?? '', areTablesFilled: row?.is_filled === 1 };
}

/** Writes the marker in a transaction of the caller. Does nothing if it exists. */
export async function writeRestoreMarker(queries: Queries, backup: string): Promise<void> {
  await sql`create table if not exists ${sql.table(markerName)} (backup text primary key, is_filled integer not null)`.execute(
    queries,
  );
  await sql`insert into ${sql.table(markerName)} (backup, is_filled) values (${backup}, 0) on conflict do nothing`.execute(
    queries,
  );
}

/** From now on only a restore opens the database. Does nothing if the marker exists. */
export const createRestoreMarker = (database: Database, backup: string): Promise<void> =>
  database.transaction((transaction) => writeRestoreMarker(transaction, backup));

/** Call it in the transaction that fills the tables. */
export async function markTablesFilled(queries: Queries): Promise<void> {
  await sql`update ${sql.table(markerName)} set is_filled = 1`.execute(queries);
}

/** The restore is complete: servers open the database again. */
export async function removeRestoreMarker(queries: Queries): Promise<void> {
  await sql`drop table if exists ${sql.table(markerName)}`.execute(queries);
}
