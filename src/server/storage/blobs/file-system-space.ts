import { statfs } from 'node:fs/promises';
import type { DiskSpace } from '#server/storage/blobs/blob-store.ts';

/**
 * Measures the file system of a directory.
 * @throws Error of the system, for example if there is no such directory
 */
export async function fileSystemSpace(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
