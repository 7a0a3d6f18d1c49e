import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BlobSpaceError } from '#server/storage/blobs/blob-store.ts';

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Whether a file or directory was not there. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** Translates "the volume is full" and "the quota is used up"; everything else stays what it was. */
export const asSpaceError = (error: unknown): unknown =>
  ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error))) ? new BlobSpaceError(error) : error;

/** Makes the names in one directory durable: without it a synced file can be gone after a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes every name durable that leads from `root` down to the file. */
export async function syncDirectoriesAbove(file: string, root: string): Promise<void> {
  for (let directory = dirname(file); ; directory = dirname(directory)) {
    await syncDirectory(directory);
    if (directory === root || directory === dirname(directory)) return;
  }
}

/** Writes all bytes at a position: one write may take fewer than it was given. */
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

/** Reads a range; shorter at the file's end. */
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
