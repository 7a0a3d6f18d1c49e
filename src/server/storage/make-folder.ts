import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#base/errors/code-of.ts';

interface FolderOptions {
  /** The permissions of each folder that is created. */
  mode?: number;
}

/** Creates one folder, unless it exists. Returns the error if the one above it is missing. */
async function makeOne(path: string, options: FolderOptions): Promise<Error | null> {
  try {
    await mkdir(path, options);
    return null;
  } catch (error) {
    if (error instanceof Error && codeOf(error) === 'ENOENT') return error;
    // A link without a target exists too; `stat` reports it as missing.
    if (codeOf(error) === 'EEXIST' && (await stat(path)).isDirectory()) return null;
    throw error;
  }
}

/**
 * Creates a folder and those above it that are missing. The `recursive` of Node's `mkdir` never ends, and keeps a thread
 * busy, where a folder exists but none can be created in it: below `/proc`, in a folder that was deleted while it is
 * mounted, and in a deleted working directory.
 * @throws Error of the system, such as ENOENT, ENOTDIR or EACCES
 */
export async function makeFolder(path: string, options: FolderOptions = {}): Promise<void> {
  const missing = await makeOne(path, options);
  if (missing === null) return;
  const above = dirname(path);
  if (above === path) throw missing;
  await makeFolder(above, options);
  const stillMissing = await makeOne(path, options);
  if (stillMissing !== null) throw stillMissing;
}
