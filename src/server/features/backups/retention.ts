import { day } from '#base/duration.ts';
import { originalKeyOf, type BackupTarget } from '#server/storage/backups/backup-target.ts';
import { contentsOf } from './format/blob-entry.ts';
import type { BackupManifest, Snapshot } from './format/manifest.ts';
import type { ManifestSeal } from './format/manifest-seal.ts';
import { BackupError } from './format/backup-error.ts';
import { blobsOf, keysOf, snapshotIds, snapshotsOf } from './format/snapshots.ts';
import { isOwn, type Ownership, unfinishedOfOthers } from './ownership.ts';

/** How many backups stay: the newest of each of so many days and weeks. */
export interface Retention {
  daily: number;
  weekly: number;
}

const week = 7 * day;
/** 1970 began on a Thursday. */
const mondayMs = 4 * day;

/** The newest snapshot of each of the last periods that have one. */
function newestOfPeriods(
  snapshots: readonly BackupManifest[],
  periodOf: (atMs: number) => number,
  count: number,
): string[] {
  const newest = new Map<number, string>();
  for (const { id, startedAtMs } of snapshots) {
    const period = periodOf(startedAtMs);
    if (!newest.has(period)) newest.set(period, id);
  }
  return [...newest.values()].slice(0, count);
}

/**
 * Returns the ids of the snapshots to retain. The newest one is always among them. Days and weeks are those of UTC.
 * @param snapshots the newest first
 */
export function retainedIds(snapshots: readonly BackupManifest[], { daily, weekly }: Retention): Set<string> {
  return new Set([
    ...snapshots.slice(0, 1).map(({ id }) => id),
    ...newestOfPeriods(snapshots, (atMs) => Math.floor(atMs / day), daily),
    ...newestOfPeriods(snapshots, (atMs) => Math.floor((atMs - mondayMs) / week), weekly),
  ]);
}

/** More hashes than this are not held in memory at once. */
const maxHashesAtOnce = 1_000_000;
const hexDigits = Array.from('0123456789abcdef');
/** Systems put files of their own into folders. */
const folderPattern = /^[\da-f]{2}$/;
const contentPattern = /^[\da-f]{62}(\.damaged)?$/;

/** The contents of some folders that snapshots name. */
async function namedContents(
  target: BackupTarget,
  snapshots: readonly Snapshot[],
  firstDigits: string,
): Promise<Set<string>> {
  const named = new Set<string>();
  for (const snapshot of snapshots)
    for await (const entry of blobsOf(target, snapshot))
      for (const { sha256 } of contentsOf(entry).filter((each) =>
        firstDigits.includes(each.sha256.charAt(0)),
      ))
        named.add(sha256);
  return named;
}

/**
 * Deletes the contents of some folders that no snapshot names. Stops when another copy of this installation has begun
 * a backup.
 * @returns the number of deleted contents
 */
async function sweep(
  target: BackupTarget,
  snapshots: readonly Snapshot[],
  {
    firstDigits,
    isUnchanged,
    signal,
  }: { firstDigits: string; isUnchanged: () => Promise<boolean>; signal: AbortSignal },
): Promise<number> {
  const named = await namedContents(target, snapshots, firstDigits);
  let removed = 0;
  for (const folder of await target.list('blobs/')) {
    if (!folderPattern.test(folder) || !firstDigits.includes(folder.charAt(0))) continue;
    if (!(await isUnchanged())) return removed;
    const names = new Set(
      (await target.list(`blobs/${folder}/`)).filter((name) => contentPattern.test(name)),
    );
    for (const rest of names) {
      const original = originalKeyOf(rest);
      // Damaged content stays until there is an undamaged copy of it.
      const isNeeded = named.has(`${folder}${original}`) && (original === rest || !names.has(original));
      if (isNeeded) continue;
      signal.throwIfAborted();
      await target.remove(`blobs/${folder}/${rest}`);
      removed += 1;
    }
  }
  return removed;
}

/**
 * Deletes this installation's snapshots beyond the retention, and the contents that none of the others names. Only the
 * holder of the lease may call it: another running backup relies on contents that no manifest names yet. Snapshots of
 * other installations are neither counted nor deleted, and while one of them makes a backup, contents stay.
 * @param options.signal aborts when the lease is lost: nothing is deleted from then on
 * @returns the number of deleted snapshots and contents
 * @throws BackupError when a snapshot cannot be read: nothing is deleted
 */
export async function applyRetention(
  target: BackupTarget,
  retention: Retention,
  {
    ownership,
    seal,
    nowMs,
    signal,
  }: { ownership: Ownership; seal: ManifestSeal | null; nowMs: number; signal: AbortSignal },
): Promise<{ snapshots: number; contents: number }> {
  const { complete, incomplete, unusable } = await snapshotsOf(target, seal);
  if (unusable[0] !== undefined)
    throw new BackupError(
      `Old backups are not deleted while one cannot be read: ${unusable[0].reason} To abandon it, delete its folder.`,
    );
  const own = complete.filter((snapshot) => isOwn(snapshot, ownership));
  const retained = retainedIds(own, retention);
  const gone = own.filter(({ id }) => !retained.has(id));
  for (const { id } of gone) {
    signal.throwIfAborted();
    await target.remove(keysOf(id).manifest);
    await target.remove(keysOf(id).folder);
  }
  if (gone.length === 0) return { snapshots: 0, contents: 0 };
  if (unfinishedOfOthers(incomplete, ownership, nowMs).length > 0)
    return { snapshots: gone.length, contents: 0 };
  const rest = complete.filter((snapshot) => !gone.includes(snapshot));
  const known = new Set([...rest.map(({ id }) => id), ...incomplete]);
  const isUnchanged = async (): Promise<boolean> => (await snapshotIds(target)).every((id) => known.has(id));
  const max = Math.max(0, ...rest.map(({ blobs }) => blobs.count));
  let contents = 0;
  for (const digits of max > maxHashesAtOnce ? hexDigits : [hexDigits.join('')])
    contents += await sweep(target, rest, { firstDigits: digits, isUnchanged, signal });
  return { snapshots: gone.length, contents };
}
