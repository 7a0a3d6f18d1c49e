import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isMissing, syncDirectory } from './durable-files.ts';
import { isNotePath } from './note-file.ts';

/** Lists the files below a folder that belong to a blob. */
async function blobFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    },
  );
  // Keys never start with a dot. A note could be newer than the copy of its blob.
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.') && !isNotePath(path));
}

async function copyOne(from: string, to: string): Promise<boolean> {
  const source = await stat(from);
  const known = await stat(to).catch(() => null);
  if (known?.size === source.size && Math.trunc(known.mtimeMs) === Math.trunc(source.mtimeMs)) return false;
  await mkdir(dirname(to), { recursive: true });
  // Shares blocks (copy-on-write) on file systems that support it.
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
 * Copies every blob that is missing or different in the target folder, even while a server is writing. Deletes
 * nothing and skips files that are deleted in the meantime.
 * @returns the number of files copied
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
