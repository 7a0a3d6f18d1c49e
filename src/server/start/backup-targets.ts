import { readdir, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { codeOf } from '#base/errors/code-of.ts';
import { isUnavailableError } from '#base/errors/unavailable.ts';
import type { Config } from '#server/config.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { backupBucketOf, backupNameOf, backupPlaceMistake } from '#server/storage/backups/backup-place.ts';
import { openFolderBackupTarget } from '#server/storage/backups/folder/folder-backup-target.ts';
import { parseStorageUrl, type S3Location } from '#server/storage/blobs/storage-url.ts';
import { withCauses } from './error-codes.ts';
import { explainS3 } from './explain/explain-s3.ts';
import { explainMissingFolder, freeBytes } from './explain/explain-files.ts';
import { explained, StartError, type Explain } from '#server/start-error.ts';

function freeText(to: string): string {
  const free = freeBytes(to);
  return free === null ? '' : ` (${Math.floor(free / 1024)} KiB are free)`;
}

/** Explains every known failure of a folder with backups. */
const explainFolder =
  (to: string): Explain =>
  (error) => {
    const code = codeOf(error);
    if (code === 'ENOSPC' || code === 'EDQUOT')
      return `The disk under ${to} is full${freeText(to)}: free some space, or name a folder on another disk. Earlier backups are as they were.`;
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      return `${error instanceof Error && 'path' in error ? String(error.path) : to} may not be read or written by this user: run the command as the user of the server, and name a folder that this user may write in.`;
    if (code === 'EEXIST' || code === 'ENOTDIR') return `${to} is a file, or lies below one: name a folder.`;
    return explainMissingFolder(error);
  };

const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
]);

const isSilence = (error: unknown): boolean =>
  isUnavailableError(error) ||
  withCauses(error).some(
    (part) =>
      networkCodes.has(codeOf(part)) ||
      (part instanceof Error && ['TimeoutError', 'AbortError'].includes(part.name)),
  );

/** Explains every known failure of a bucket with backups. */
const explainBucket =
  (to: string): Explain =>
  (error) => {
    const explain = explainS3(to);
    for (const part of withCauses(error)) {
      const explanation = explain(part);
      if (explanation !== null)
        return explanation.replaceAll('S3_', 'BACKUP_S3_').replaceAll('STORAGE_URL', backupNameOf(to));
    }
    return isSilence(error)
      ? `The object store of ${backupNameOf(to)} does not respond: run the command again later. Earlier backups are unchanged.`
      : null;
  };

/** Runs a step that reads or writes backups, and explains its known failures. */
export const withBackups = <T>(to: string, step: () => Promise<T>): Promise<T> =>
  explained(backupBucketOf(to) === null ? explainFolder(to) : explainBucket(to), step);

/** What a folder without backups may have. */
const ignoredNames: ReadonlySet<string> = new Set(['.unfinished', 'lost+found']);

const isWithin = (folder: string, outer: string): boolean => `${folder}${sep}`.startsWith(`${outer}${sep}`);

type BackupConfig = Pick<
  Config,
  'dataDir' | 'storageUrl' | 'backupS3AccessKeyId' | 'backupS3SecretAccessKey'
>;

function rejectMistake(to: string): void {
  const mistake = backupPlaceMistake(to);
  if (mistake !== null) throw new StartError(`${to} ${mistake}.`);
}

/** The address of an object store in one spelling. */
const storeOf = ({ endpoint }: S3Location): string | null =>
  endpoint === null ? null : new URL(endpoint).href;

/** Whether one of two buckets with prefixes contains the other. */
function overlaps(a: S3Location, b: S3Location): boolean {
  const areNested = a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
  return storeOf(a) === storeOf(b) && a.bucket === b.bucket && areNested;
}

/**
 * Opens the bucket of backups, and checks that it can be used. Its driver is loaded only then.
 * @param check rejects a bucket with other contents than the caller needs
 */
async function openBucket(
  config: BackupConfig,
  {
    to,
    location,
    check,
  }: { to: string; location: S3Location; check: (target: BackupTarget) => Promise<void> },
): Promise<BackupTarget> {
  const recordings = parseStorageUrl(config.storageUrl);
  if (recordings !== null && overlaps(location, recordings))
    throw new StartError(
      `${backupNameOf(to)} and STORAGE_URL, where the recordings are, overlap: use another bucket or prefix.`,
    );
  const { backupS3AccessKeyId: accessKeyId, backupS3SecretAccessKey: secretAccessKey } = config;
  const credentials = accessKeyId === '' ? null : { accessKeyId, secretAccessKey };
  const { S3BackupTarget } = await import('#server/storage/backups/s3/s3-backup-target.ts');
  const target = new S3BackupTarget(backupNameOf(to), { ...location, credentials });
  try {
    await target.ping();
    await check(target);
    return target;
  } catch (error) {
    target.close();
    throw error;
  }
}

const marker = 'earshot-backups.json';

const liesWithin = (to: string, dataDir: string): StartError =>
  new StartError(
    `${to} is inside DATA_DIR=${dataDir}: use a folder outside of it, on another disk if possible.`,
  );

const hasOtherFiles = (to: string): StartError =>
  new StartError(`${to} has other files: use an empty folder, or one that already has backups.`);

async function openFolderToWrite({ dataDir }: BackupConfig, to: string): Promise<BackupTarget> {
  if (isWithin(resolve(to), resolve(dataDir))) throw liesWithin(to, dataDir);
  const target = await openFolderBackupTarget(to, { create: true });
  const names = await readdir(to);
  if (!names.includes(marker) && names.some((name) => !ignoredNames.has(name))) throw hasOtherFiles(to);
  if (isWithin(await realpath(to), await realpath(dataDir))) throw liesWithin(to, dataDir);
  return target;
}

async function rejectOtherFiles(target: BackupTarget): Promise<void> {
  if ((await target.sizeOf(marker)) === null && (await target.list('')).length > 0)
    throw hasOtherFiles(target.name);
}

/** Explains the known failures of a target where they happen, also for the list of backups and for schedules. */
function explainedTarget(target: BackupTarget, to: string): BackupTarget {
  const step = <T>(work: () => Promise<T>): Promise<T> => withBackups(to, work);
  return {
    name: target.name,
    freeBytes: () => target.freeBytes(),
    clean: () => step(() => target.clean()),
    sizeOf: (key) => step(() => target.sizeOf(key)),
    list: (prefix) => step(() => target.list(prefix)),
    read: (key) => target.read(key),
    write: (key, source) => step(() => target.write(key, source)),
    store: (source) => step(() => target.store(source)),
    setAside: (key) => step(() => target.setAside(key)),
    remove: (keyOrPrefix) => step(() => target.remove(keyOrPrefix)),
    close: () => {
      target.close();
    },
  };
}

/**
 * Opens the folder or bucket that backups are written to, and creates the folder if it is missing.
 * @throws StartError when it has other files, contains the recordings themselves, or cannot be used
 */
export async function openTargetToWrite(config: BackupConfig, to: string): Promise<BackupTarget> {
  rejectMistake(to);
  const location = backupBucketOf(to);
  const target = await withBackups(to, () =>
    location === null
      ? openFolderToWrite(config, to)
      : openBucket(config, { to, location, check: rejectOtherFiles }),
  );
  return explainedTarget(target, to);
}

const noBackupsIn = (from: string): StartError =>
  new StartError(`There are no backups in ${from}: use the folder that "earshot backup" wrote to.`);

async function openFolderToRead(from: string): Promise<BackupTarget> {
  const names: string[] = await readdir(from).catch((error: unknown): string[] => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  if (!names.includes(marker)) throw noBackupsIn(from);
  return openFolderBackupTarget(from, { create: false });
}

async function rejectNoBackups(target: BackupTarget): Promise<void> {
  if ((await target.sizeOf(marker)) === null) throw noBackupsIn(target.name);
}

/**
 * Opens a folder or bucket that has backups.
 * @throws StartError when it has none, or cannot be read
 */
export async function openTargetToRead(config: BackupConfig, from: string): Promise<BackupTarget> {
  rejectMistake(from);
  const location = backupBucketOf(from);
  return withBackups(from, () =>
    location === null
      ? openFolderToRead(from)
      : openBucket(config, { to: from, location, check: rejectNoBackups }),
  );
}
