import { acquireLock } from '#device/site-data/web-locks.ts';

const nothingToRelease = (): void => undefined;

/** A browser that rejects locks rejects storage as well, so no other tab knows the import. */
async function requestImportLock(importId: string, ifAvailable: boolean): Promise<(() => void) | null> {
  try {
    return await acquireLock(`import:${importId}`, { ifAvailable });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'SecurityError') return nothingToRelease;
    throw error;
  }
}

/**
 * Waits for and acquires the lock of an import, so that two tabs never work on the same one.
 * @returns a function that releases the lock
 */
export const holdImportLock = async (importId: string): Promise<() => void> =>
  (await requestImportLock(importId, false)) ?? nothingToRelease;

/** Acquires the lock of an import unless another tab has it; null if one has. */
export const tryImportLock = (importId: string): Promise<(() => void) | null> =>
  requestImportLock(importId, true);
