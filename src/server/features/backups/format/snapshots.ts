import { buffer, text } from 'node:stream/consumers';
import { unixMsOf } from '#base/instant.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';
import { BackupError } from './backup-error.ts';
import { type BlobEntry, parseBlobEntry } from './blob-entry.ts';
import { type BackupManifest, parseManifest, type Snapshot } from './manifest.ts';
import type { ManifestSeal } from './manifest-seal.ts';
import { readLines } from './read-lines.ts';
import { idPattern, printable } from './values.ts';

const rootKey = 'snapshots/';
const marker = 'earshot-backups.json';
/** A manifest has a few kilobytes, a key has 32 bytes unless it is a text. */
const maxManifestBytes = 16 * 1024 * 1024;
const maxKeyBytes = 64 * 1024;

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
const newestFirst = (a: Snapshot, b: Snapshot): number =>
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
 * @param seal of the secret key; null if it is not known
 * @returns null for a snapshot without one: it was not completed
 * @throws BackupError when it is damaged, forged, or newer than this version
 */
async function readManifest(
  target: BackupTarget,
  id: string,
  seal: ManifestSeal | null,
): Promise<Snapshot | null> {
  const key = keysOf(id).manifest;
  const sizeBytes = await target.sizeOf(key);
  if (sizeBytes === null) return null;
  const manifest =
    sizeBytes > maxManifestBytes ? 'damaged' : parseManifest(await text(target.read(key)), { id, seal });
  if (manifest === 'newer')
    throw new BackupError(
      `The backup ${id} was made by a newer version of Earshot: use that version or a later one.`,
    );
  if (manifest === 'damaged')
    throw new BackupError(`${target.name}/${key} is damaged: choose another backup with --snapshot.`);
  if (manifest === 'forged')
    throw new BackupError(
      `${target.name}/${key} was changed by somebody without the secret key, or belongs to another backup: choose another backup with --snapshot.`,
    );
  return manifest;
}

/**
 * Reads the secret key that a backup with one contains.
 * @throws BackupError when there is none, or it is not the one that the manifest names
 */
export async function readSecretKey(
  target: BackupTarget,
  { id, keyFingerprint }: BackupManifest,
): Promise<Buffer> {
  const key = keysOf(id).secretKey;
  const sizeBytes = await target.sizeOf(key);
  const bytes =
    sizeBytes === null || sizeBytes === 0 || sizeBytes > maxKeyBytes ? null : await buffer(target.read(key));
  if (bytes === null || fingerprintOf(bytes) !== keyFingerprint)
    throw new BackupError(
      `${target.name}/${key} is missing or is not the secret key of this backup (fingerprint ${printable(keyFingerprint ?? 'none')}): put the right one there, or choose another backup with --snapshot.`,
    );
  return bytes;
}

export interface Snapshots {
  /** The newest first. */
  complete: Snapshot[];
  /** Ids without a manifest: their backup was interrupted, or is being made. */
  incomplete: string[];
  /** Those whose manifest cannot be used, with the reason. */
  unusable: { id: string; reason: string }[];
}

/** The ids of all snapshots, complete or not. Systems put files of their own into folders. */
export const snapshotIds = async (target: BackupTarget): Promise<string[]> =>
  (await target.list(rootKey)).filter((name) => idPattern.test(name)).sort();

/**
 * Reads the manifests of all snapshots.
 * @param seal of the secret key; null if it is not known
 */
export async function snapshotsOf(target: BackupTarget, seal: ManifestSeal | null): Promise<Snapshots> {
  const found: Snapshots = { complete: [], incomplete: [], unusable: [] };
  for (const id of await snapshotIds(target)) {
    try {
      const manifest = await readManifest(target, id, seal);
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
function rejectDoubt({ name }: BackupTarget, { complete, unusable }: Snapshots, newest: Snapshot): void {
  const skipped = unusable.find(({ id }) => id > newest.id);
  if (skipped !== undefined)
    throw new BackupError(
      `The newest backup ${skipped.id} cannot be used (${skipped.reason.replace(/: [^:]*$/, '')}): to restore an older one, name it, as in --snapshot ${newest.id}.`,
    );
  const authentic = complete.find(({ authenticity }) => authenticity === 'authentic');
  if (newest.authenticity === 'absent' && authentic !== undefined)
    throw new BackupError(
      `The newest backup ${newest.id} is not authenticated, but others in ${name} are: an earlier version of Earshot made it, or somebody put it there. To restore it, name it, as in --snapshot ${newest.id}; the newest authenticated one is ${authentic.id}.`,
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
  origin === undefined ? 'an older version' : printable(`${origin.host}, ${origin.place}`);

/**
 * Returns the snapshot of this id, or the newest one.
 * @param options.seal of the secret key; null if it is not known
 * @param options.isCertain whether to reject a newest one beside a damaged newer one, or one of another installation
 * @throws BackupError when there is none, or it cannot be used
 */
export async function chosenSnapshot(
  target: BackupTarget,
  id: string | undefined,
  { seal, isCertain = false }: { seal: ManifestSeal | null; isCertain?: boolean },
): Promise<Snapshot> {
  if (id !== undefined) {
    const manifest = idPattern.test(id) ? await readManifest(target, id, seal) : null;
    if (manifest === null)
      throw new BackupError(`There is no complete backup ${printable(id)} in ${target.name}.`);
    return manifest;
  }
  const snapshots = await snapshotsOf(target, seal);
  const { complete, unusable } = snapshots;
  const [newest] = complete;
  if (newest !== undefined) {
    if (isCertain) rejectDoubt(target, snapshots, newest);
    return newest;
  }
  throw new BackupError(unusable[0]?.reason ?? `There is no complete backup in ${target.name}.`);
}

/**
 * Streams the blobs of a snapshot, in order.
 * @throws BackupError when the list is not the one of the manifest
 */
export const blobsOf = (
  target: BackupTarget,
  { id, blobs }: { id: string; blobs: Pick<BackupManifest['blobs'], 'file'> },
): AsyncGenerator<BlobEntry> =>
  readLines(target, keysOf(id).blobs, { file: blobs.file, parse: parseBlobEntry });
