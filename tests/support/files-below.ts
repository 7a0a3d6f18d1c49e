import { copyFileSync, lstatSync, mkdirSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface ListedEntry {
  /** Relative to the folder that was listed, with `/` between names. */
  path: string;
  stats: Stats;
}

/** Returns what a call gives, or null where the file or folder has vanished. */
function unlessVanished<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return null;
    throw error;
  }
}

/**
 * Lists every file and folder below a folder that a running program writes, sorted by path. Entries that vanish while
 * they are listed are left out: a server renames a file when it is complete, and removes its folder when it is empty.
 * A folder that is missing has no entries. Symbolic links are entries, and are not followed.
 */
export function entriesBelow(folder: string): ListedEntry[] {
  const entries: ListedEntry[] = [];
  const list = (directory: string): void => {
    const children: Dirent[] = unlessVanished(() => readdirSync(directory, { withFileTypes: true })) ?? [];
    for (const child of children) {
      const path = join(directory, child.name);
      const stats = unlessVanished(() => lstatSync(path));
      if (stats === null) continue;
      entries.push({ path: relative(folder, path).replaceAll('\\', '/'), stats });
      if (child.isDirectory()) list(path);
    }
  };
  list(folder);
  return entries.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The files of `entriesBelow`. */
export const filesBelow = (folder: string): ListedEntry[] =>
  entriesBelow(folder).filter(({ stats }) => stats.isFile());

/** Copies the files of `filesBelow` into another folder. */
export function copyFilesBelow(from: string, to: string): void {
  for (const { path } of filesBelow(from)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    unlessVanished(() => {
      copyFileSync(join(from, path), join(to, path));
    });
  }
}
