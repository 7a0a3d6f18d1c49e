import { sql } from 'kysely';
import type { Database, Queries } from './database.ts';
import { hasTable } from './has-table.ts';

/** The table exists only while an installation is being moved into the database. No migration creates it. */
const unfinishedMove = 'unfinished_move';

/** A blob that the new store has. */
export interface MovedBlob {
  key: string;
  sizeBytes: number;
  /** When the old store last changed it; null for streams. */
  changedAtMs: number | null;
  /** Null while the blob may still grow: then the new store has this many of its bytes. */
  sha256: string | null;
}

/** Returns whether a move into this database has begun and not ended. */
export const hasUnfinishedMove = ({ queries, dialect }: Database): Promise<boolean> =>
  hasTable(queries, dialect, unfinishedMove);

/** Creates the table. Does nothing if it exists. */
export async function createUnfinishedMove({ queries }: Database): Promise<void> {
  await sql`create table if not exists ${sql.table(unfinishedMove)} (
      key text primary key, size_bytes bigint not null, changed_at bigint, sha256 text
    )`.execute(queries);
}

/** The move is complete: servers start on the new store. */
export async function removeUnfinishedMove(queries: Queries): Promise<void> {
  await sql`drop table if exists ${sql.table(unfinishedMove)}`.execute(queries);
}

/** Returns those of these blobs that the new store has, by key. */
export async function findMoved(queries: Queries, keys: readonly string[]): Promise<Map<string, MovedBlob>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{
    key: string;
    size_bytes: number;
    changed_at: number | null;
    sha256: string | null;
  }>`select * from ${sql.table(unfinishedMove)} where key in (${sql.join(keys)})`.execute(queries);
  return new Map(
    rows.map(({ key, size_bytes: sizeBytes, changed_at: changedAtMs, sha256 }) => [
      key,
      { key, sizeBytes, changedAtMs, sha256 },
    ]),
  );
}

/** Stores that the new store has these blobs, durably. */
export async function noteMoved(queries: Queries, moved: readonly MovedBlob[]): Promise<void> {
  if (moved.length === 0) return;
  const values = moved.map(
    ({ key, sizeBytes, changedAtMs, sha256 }) => sql`(${key}, ${sizeBytes}, ${changedAtMs}, ${sha256})`,
  );
  await sql`insert into ${sql.table(unfinishedMove)} (key, size_bytes, changed_at, sha256) values ${sql.join(values)}
      on conflict (key) do update set size_bytes = excluded.size_bytes, changed_at = excluded.changed_at, sha256 = excluded.sha256`.execute(
    queries,
  );
}

/** Returns the folders of recordings that were moved and have been purged since. */
export async function purgedFolders(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{ folder: string }>`select distinct m.folder from (
        select substr(key, 1, 48) as folder, substr(key, 12, 36) as recording_id from ${sql.table(unfinishedMove)}
      ) as m where not exists (select 1 from recordings as r where r.id = m.recording_id)`.execute(queries);
  return rows.map(({ folder }) => folder);
}
