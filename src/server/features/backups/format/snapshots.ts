import { text } from 'node:stream/consumers';
import { unixMsOf } from '#base/instant.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { type BlobEntry, parseBlobEntry } from './blob-entry.ts';
import { unzippedLines } from './lines.ts';
import { type BackupManifest, parseManifest } from './manifest.ts';

/** The command cannot do what was asked, for a reason that the operator can change. The message is a sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const rootKey = 'snapshots/';
const marker = 'earshot-backups.json';

/** The keys of the files of one snapshot. */
export const keysOf = (id: string) => ({
  folder: `${rootKey}${id}/`,
  manifest: `${rootKey}${id}/manifest.json`,
  verified: `${rootKey}${id}/verified.json`,
  table: (name: string) => `${rootKey}${id}/tables/${name}.jsonl.gz`,
  blobs: `${rootKey}${id}/blobs.jsonl.gz`,
  secretKey: `${rootKey}${id}/secret.key`,
});

/** Returns when the backup with an id was started, to the second; null for another name. */
export function startOfId(id: string): number | null {
  const instant = /^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)z-[\da-f]+$/.exec(id)?.slice(1);
  if (instant === undefined) return null;
  const [year, month, date, hours, minutes, seconds] = instant;
  const atMs = unixMsOf(`${year}-${month}-${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(atMs) ? null : atMs;
}

/** Sorts by the time of the start, the newest first. */
const newestFirst = (a: BackupManifest, b: BackupManifest): number =>
  b.startedAtMs - a.startedAtMs || (a.id < b.id ? 1 : -1);

/** Marks a new target, so that backups are never mixed with other files. */
export async function markTarget(target: BackupTarget): Promise<void> {
  if ((await target.sizeOf(marker)) !== null) return;
  await target.write(
    marker,
    (async function* () {
      yield Buffer.from('{"format":1}\n');
    })(),
  );
}

/** Whether the target has backups, or has been prepared for them. */
export const isMarked = async (target: BackupTarget): Promise<boolean> =>
  (await target.sizeOf(marker)) !== null;

/**
 * Reads one manifest.
 * @returns null for a snapshot without one: it was not completed
 * @throws BackupError when it is damaged or newer than this version
 */
async function readManifest(target: BackupTarget, id: string): Promise<BackupManifest | null> {
  const key = keysOf(id).manifest;
  if ((await target.sizeOf(key)) === null) return null;
  const manifest = parseManifest(await text(target.read(key)));
  if (manifest === 'newer')
    throw new BackupError(
      `The backup ${id} was made by a newer version of Earshot: use that version or a later one.`,
    );
  if (manifest === 'damaged')
    throw new BackupError(`${target.name}/${key} is damaged: choose another backup with --snapshot.`);
  return manifest;
}

export interface Snapshots {
  /** The newest first. */
  complete: BackupManifest[];
  /** Ids without a manifest: their backup was interrupted, or is being made. */
  incomplete: string[];
  /** Those whose manifest cannot be used, with the reason. */
  unusable: { id: string; reason: string }[];
}

/** The ids of all snapshots, complete or not. */
export const snapshotIds = async (target: BackupTarget): Promise<string[]> =>
  (await target.list(rootKey)).sort();

/** Reads the manifests of all snapshots. */
export async function snapshotsOf(target: BackupTarget): Promise<Snapshots> {
  const found: Snapshots = { complete: [], incomplete: [], unusable: [] };
  for (const id of await snapshotIds(target)) {
    try {
      const manifest = await readManifest(target, id);
      if (manifest === null) found.incomplete.push(id);
      else found.complete.push(manifest);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      found.unusable.push({ id, reason: error.message });
    }
  }
  found.complete.sort(newestFirst);
  return found;
}

/**
 * Rejects a choice that the operator has to make: a newer backup cannot be used, or several installations have
 * backups in the place.
 * @throws BackupError
 */
function rejectDoubt(
  { name }: BackupTarget,
  { complete, unusable }: Snapshots,
  newest: BackupManifest,
): void {
  const skipped = unusable.find(({ id }) => id > newest.id);
  if (skipped !== undefined)
    throw new BackupError(
      `The newest backup ${skipped.id} cannot be used (${skipped.reason.replace(/: [^:]*$/, '')}): to restore an older one, name it, as in --snapshot ${newest.id}.`,
    );
  const { origin } = newest;
  const other = complete.find(
    (each) =>
      each.origin?.lineage !== origin?.lineage &&
      each.origin !== undefined &&
      each.origin.lineage !== origin?.continues,
  );
  if (other !== undefined)
    throw new BackupError(
      `${name} has backups of several installations; the newest are ${newest.id} (${originText(newest)}) and ${other.id} (${originText(other)}): name the one to restore with --snapshot.`,
    );
}

/** Names where a backup was made. */
export const originText = ({ origin }: Pick<BackupManifest, 'origin'>): string =>
  origin === undefined ? 'an older version' : `${origin.host}, ${origin.place}`;

/**
 * Returns the snapshot of this id, or the newest one.
 * @param options.isCertain whether to reject a newest one beside a damaged newer one, or one of another installation
 * @throws BackupError when there is none, or it cannot be used
 */
export async function chosenSnapshot(
  target: BackupTarget,
  id: string | undefined,
  { isCertain = false } = {},
): Promise<BackupManifest> {
  if (id !== undefined) {
    const manifest = /^[\da-z-]+$/.test(id) ? await readManifest(target, id) : null;
    if (manifest === null) throw new BackupError(`There is no complete backup ${id} in ${target.name}.`);
    return manifest;
  }
  const snapshots = await snapshotsOf(target);
  const { complete, unusable } = snapshots;
  const [newest] = complete;
  if (newest !== undefined) {
    if (isCertain) rejectDoubt(target, snapshots, newest);
    return newest;
  }
  throw new BackupError(unusable[0]?.reason ?? `There is no complete backup in ${target.name}.`);
}

/** Streams the blobs of a snapshot, in order. */
export async function* blobsOf(target: BackupTarget, id: string): AsyncGenerator<BlobEntry> {
  for await (const line of unzippedLines(target.read(keysOf(id).blobs))) yield parseBlobEntry(line);
}
