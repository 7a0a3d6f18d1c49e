import { day } from '#base/duration.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { type BackupLineage, ensureLineage } from '#server/storage/rows/backup-lineage.ts';
import type { BackupManifest } from './format/manifest.ts';
import { BackupError } from './format/backup-error.ts';
import { originText, startOfId } from './format/snapshots.ts';

/** Which backups in a place are those of this installation, and not of another copy of it. */
export interface Ownership {
  lineage: BackupLineage;
  /** The ids of backups that this database has made, tried to make or is making. */
  knownIds: ReadonlySet<string>;
}

/** Reads what proves that a backup is this installation's. */
export async function readOwnership(queries: Queries, nowMs: number): Promise<Ownership> {
  const lineage = await ensureLineage(queries, nowMs);
  const rows = await queries.selectFrom('backups').select('id').execute();
  return { lineage, knownIds: new Set(rows.map(({ id }) => id)) };
}

/**
 * Whether a backup is certainly this installation's. Versions before 0.1.0 wrote no origin: such a backup is its own
 * only if the database itself has recorded that it made it.
 */
export function isOwn(
  { id, origin, startedAtMs }: BackupManifest,
  { lineage, knownIds }: Ownership,
): boolean {
  if (origin === undefined) return knownIds.has(id);
  if (origin.lineage === lineage.id) return true;
  return origin.lineage === lineage.continues && startedAtMs < lineage.madeAtMs;
}

/**
 * Whether another copy of the same database has made backups: the newest one of this lineage is none that this
 * database knows. Files of a database can be copied, or replaced by older ones, without a restore.
 * @param snapshots the newest first
 */
export function isForked(snapshots: readonly BackupManifest[], { lineage, knownIds }: Ownership): boolean {
  const newest = snapshots.find(({ origin }) => origin?.lineage === lineage.id);
  return newest !== undefined && !knownIds.has(newest.id);
}

const withAdopt = (name: string): string =>
  `use another folder or bucket, or run "earshot backup ${name} --adopt" once, which adds this installation's backups and deletes none of the others`;

/**
 * Why this installation may not add its backups to a place without `--adopt`; null if it may: it has backups there,
 * or nobody has.
 * @param snapshots the newest first
 */
export function strangersIn(
  name: string,
  snapshots: readonly BackupManifest[],
  ownership: Ownership,
): string | null {
  if (isForked(snapshots, ownership))
    return `The newest backup of this installation in ${name} was made by a copy of its database, or the database is older than that backup: ${withAdopt(name)}.`;
  const [newest] = snapshots;
  if (newest === undefined || snapshots.some((snapshot) => isOwn(snapshot, ownership))) return null;
  const what =
    ownership.lineage.madeBy === 'restore'
      ? 'this installation was restored from a backup, and its own backups wait'
      : 'this installation has made none of them';
  return `${name} has backups of another copy of this installation (the newest is from ${originText(newest)}), and ${what}: ${withAdopt(name)}.`;
}

/** @throws BackupError when `strangersIn` names a reason */
export function rejectStrangers(
  name: string,
  snapshots: readonly BackupManifest[],
  ownership: Ownership,
): void {
  const reason = strangersIn(name, snapshots, ownership);
  if (reason !== null) throw new BackupError(reason);
}

/** A backup that takes longer has been interrupted. Scheduled ones may take this long. */
const maxRunMs = 7 * day;

/**
 * Returns the unfinished backups that another copy of this installation may be making at the moment: they rely on
 * files that no manifest names yet.
 */
export const unfinishedOfOthers = (
  incomplete: readonly string[],
  { knownIds }: Ownership,
  nowMs: number,
): string[] =>
  incomplete.filter((id) => {
    const startedAtMs = startOfId(id);
    return !knownIds.has(id) && startedAtMs !== null && nowMs - startedAtMs < maxRunMs;
  });
