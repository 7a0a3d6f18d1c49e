import { readdir, realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { codeOf } from '#base/errors/code-of.ts';
import type { Config } from '#server/config.ts';
import type { BackupTarget } from '#server/storage/backups/backup-target.ts';
import { openFolderBackupTarget } from '#server/storage/backups/folder/folder-backup-target.ts';
import { freeBytes } from './explain/explain-files.ts';
import { explained, StartError, type Explain } from './start-error.ts';

/** Explains every known failure of a folder with backups. */
const explainTarget =
  (to: string): Explain =>
  (error) => {
    const code = codeOf(error);
    if (code === 'ENOSPC' || code === 'EDQUOT')
      return `The disk under ${to} is full (${Math.floor((freeBytes(to) ?? 0) / 1024)} KiB are free): free some space, or name a folder on another disk. Earlier backups are as they were.`;
    if (['EACCES', 'EPERM', 'EROFS'].includes(code))
      return `${error instanceof Error && 'path' in error ? String(error.path) : to} may not be read or written by this user: run the command as the user of the server, and name a folder that this user may write in.`;
    if (code === 'EEXIST' || code === 'ENOTDIR') return `${to} is a file, or lies below one: name a folder.`;
    return null;
  };

/** Runs a step that reads or writes backups, and explains its known failures. */
export const withBackups = <T>(to: string, step: () => Promise<T>): Promise<T> =>
  explained(explainTarget(to), step);

const markers: ReadonlySet<string> = new Set(['earshot-backups.json', '.unfinished', 'lost+found']);

const isWithin = (folder: string, outer: string): boolean => `${folder}${sep}`.startsWith(`${outer}${sep}`);

function rejectAddress(to: string): void {
  if (/^[a-z\d]+:\/\//i.test(to))
    throw new StartError(
      `${to} is not supported as a place of backups: name a folder, for example of a mounted disk.`,
    );
}

const liesWithin = (to: string, dataDir: string): StartError =>
  new StartError(
    `${to} lies in DATA_DIR=${dataDir}: name a folder outside of it, on another disk if you can.`,
  );

/**
 * Opens the folder that backups are written to, and creates it if it is missing.
 * @throws StartError when it has other files, lies in `DATA_DIR`, or cannot be used
 */
export async function openTargetToWrite(
  { dataDir }: Pick<Config, 'dataDir'>,
  to: string,
): Promise<BackupTarget> {
  rejectAddress(to);
  if (isWithin(resolve(to), resolve(dataDir))) throw liesWithin(to, dataDir);
  return withBackups(to, async () => {
    const target = await openFolderBackupTarget(to, { create: true });
    const names = await readdir(to);
    if (!names.includes('earshot-backups.json') && names.some((name) => !markers.has(name)))
      throw new StartError(`${to} has other files: name an empty folder, or one that has backups already.`);
    if (isWithin(await realpath(to), await realpath(dataDir))) throw liesWithin(to, dataDir);
    return target;
  });
}

/**
 * Opens a folder that has backups.
 * @throws StartError when it has none, or cannot be read
 */
export function openTargetToRead(from: string): Promise<BackupTarget> {
  rejectAddress(from);
  return withBackups(from, async () => {
    const names: string[] = await readdir(from).catch((error: unknown): string[] => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    if (!names.includes('earshot-backups.json'))
      throw new StartError(
        `There are no backups in ${from}: name the folder that "earshot backup" wrote to.`,
      );
    return openFolderBackupTarget(from, { create: false });
  });
}
