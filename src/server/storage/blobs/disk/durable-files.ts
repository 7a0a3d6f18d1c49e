import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#base/errors/code-of.ts';
import { BlobSpaceError } from '#server/storage/blobs/blob-store.ts';
import { syncDirectory } from '#server/storage/sync-directory.ts';

/** Returns whether an error means that a file or directory does not exist. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** Translates "volume full" and "quota exceeded" to BlobSpaceError and returns every other error unchanged. */
export const asSpaceError = (error: unknown): unknown =>
  ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? new BlobSpaceError(error) : error;

/** Syncs every directory from the file up to `root`. */
export async function syncDirectoriesAbove(file: string, root: string): Promise<void> {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    await syncDirectory(directory);
    if (directory === root || directory === dirname(directory)) return;
  }
}

/** Writes all bytes at a position, because a single write may be partial. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.byteLength;) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.byteLength - written,
      position + written,
    );
    written += bytesWritten;
  }
}

/** Reads a range. The result is shorter if the file ends first. */
export async function readRange(
  handle: FileHandle,
  startByte: number,
  sizeBytes: number,
): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let filled = 0;
  while (filled < sizeBytes) {
    const { bytesRead } = await handle.read(bytes, filled, sizeBytes - filled, startByte + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
