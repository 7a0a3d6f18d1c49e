import { parseStorageUrl, type S3Location, storageUrlMistake } from '#server/storage/blobs/storage-url.ts';

const isBucket = (to: string): boolean => to.startsWith('s3:');

/** Names a place of backups in messages: a folder, or `s3://bucket/prefix` without parameters. */
export const backupNameOf = (to: string): string =>
  isBucket(to) ? to.replace(/\?.*$/, '').replace(/\/+$/, '') : to;

/** Returns what is wrong with a place of backups, to follow its name; null if nothing is. */
export function backupPlaceMistake(to: string): string | null {
  if (isBucket(to)) return storageUrlMistake(to)?.replaceAll('S3_', 'BACKUP_S3_') ?? null;
  return /^[a-z\d]+:\/\//i.test(to)
    ? 'is not supported for backups: use a folder, for example on a mounted disk, or s3://bucket/prefix'
    : null;
}

/** Returns the bucket of a place of backups; null for a folder. */
export const backupBucketOf = (to: string): S3Location | null => (isBucket(to) ? parseStorageUrl(to) : null);
