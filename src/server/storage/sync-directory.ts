import { open } from 'node:fs/promises';

/** Syncs a directory: without it, a synced file can disappear in a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
