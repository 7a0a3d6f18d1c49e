import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isMissing, syncDirectory } from './durable-files.ts';

/** The files below a folder that belong to a blob. */
async function blobFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    },
  );
  // No key begins with a dot.
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.'));
}

async function copyOne(from: string, to: string): Promise<boolean> {
  const source = await stat(from);
  const known = await stat(to).catch(() => null);
  if (known?.size === source.size && Math.trunc(known.mtimeMs) === Math.trunc(source.mtimeMs)) return false;
  await mkdir(dirname(to), { recursive: true });
  // File systems that can share blocks until one of the two changes do so.
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const file = await open(to, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await utimes(to, source.atime, source.mtime);
  await syncDirectory(dirname(to));
  return true;
}

/**
 * Copies every blob that the other folder does not have as it is now, while a server may go on storing.
 * Deletes nothing. Files that are deleted meanwhile are left out.
 * @returns how many files were copied
 */
export async function copyBlobs({ from, to }: { from: string; to: string }): Promise<number> {
  let copied = 0;
  await mkdir(to, { recursive: true });
  for (const path of await blobFiles(from)) {
    const isCopied = await copyOne(join(from, path), join(to, path)).catch((error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    });
    if (isCopied) copied += 1;
  }
  await syncDirectory(to);
  return copied;
}
