const nothingToRelease = (): void => undefined;

/**
 * Requests the lock of an import. Resolves to null if it was requested `ifAvailable` and another tab holds it. A
 * browser that rejects locks rejects storage as well, so no other tab knows the import.
 */
function requestImportLock(importId: string, options: LockOptions): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    const handleError = (error: unknown) => {
      if (error instanceof DOMException && error.name === 'SecurityError') resolve(nothingToRelease);
      else reject(error);
    };
    // Firefox rejects synchronously, Chromium later.
    const request = async () =>
      navigator.locks.request(`import:${importId}`, options, (lock) => {
        if (lock !== null) return new Promise<void>(resolve);
        resolve(null);
        return undefined;
      });
    request().catch(handleError);
  });
}

/**
 * Waits for and acquires the lock of an import, so that two tabs never work on the same one.
 * @returns a function that releases the lock; the browser also releases it when the page ends
 */
export const holdImportLock = async (importId: string): Promise<() => void> =>
  (await requestImportLock(importId, {})) ?? nothingToRelease;

/** Acquires the lock of an import unless another tab has it; null if one has. */
export const tryImportLock = (importId: string): Promise<(() => void) | null> =>
  requestImportLock(importId, { ifAvailable: true });
