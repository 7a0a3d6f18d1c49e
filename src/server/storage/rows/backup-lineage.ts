import { randomUUID } from 'node:crypto';
import type { Queries } from '#server/storage/database/database.ts';

/**
 * Identifies one installation among its copies: they share the secret key, the accounts and the recordings, but each
 * has its own backups. Backups and moves do not copy it.
 */
export interface BackupLineage {
  id: string;
  /**
   * What began it: the first backup of a new installation, a restored backup, a move, or `--adopt` after another copy
   * of the same database has made backups.
   */
  madeBy: 'first' | 'restore' | 'move' | 'adopt';
  madeAtMs: number;
  /** The lineage of the old place, whose backups from before a move are also this one's. */
  continues: string | null;
}

const only = 1;

/** Returns the lineage; null if this database has not needed one yet. */
export async function readLineage(queries: Queries): Promise<BackupLineage | null> {
  const row = await queries.selectFrom('backup_lineage').selectAll().executeTakeFirst();
  return row === undefined
    ? null
    : { id: row.id, madeBy: row.made_by, madeAtMs: row.made_at, continues: row.continues };
}

/** Returns the lineage, and begins one if there is none. */
export async function ensureLineage(queries: Queries, nowMs: number): Promise<BackupLineage> {
  await queries
    .insertInto('backup_lineage')
    .values({ only, id: randomUUID(), made_by: 'first', made_at: nowMs, continues: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const lineage = await readLineage(queries);
  if (lineage === null) throw new TypeError('the lineage was deleted meanwhile');
  return lineage;
}

/** Begins a new lineage. What earlier ones have made is no longer this installation's, except for `continues`. */
export async function renewLineage(
  queries: Queries,
  {
    madeBy,
    nowMs,
    continues = null,
  }: Pick<BackupLineage, 'madeBy'> & { nowMs: number; continues?: string | null },
): Promise<void> {
  await queries.deleteFrom('backup_lineage').execute();
  await queries
    .insertInto('backup_lineage')
    .values({ only, id: randomUUID(), made_by: madeBy, made_at: nowMs, continues })
    .execute();
}
