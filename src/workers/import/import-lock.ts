const nothingToRelease = (): void => undefined;

/**
 * Waits for and acquires the lock of an import, so that two tabs never work on the same one.
 * @returns a function that releases the lock; the browser also releases it when the page ends. A browser that
 * rejects locks rejects storage as well, so no other tab knows the import.
 */
export function holdImportLock(importId: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const handleError = (error: unknown) => {
      if (error instanceof DOMException && error.name === 'SecurityError') resolve(nothingToRelease);
      else reject(error);
    };
    // Firefox rejects synchronously, Chromium later.
    const request = async () =>
      navigator.locks.request(
        `import:${importId}`,
        () =>
          new Promise<void>((release) => {
            resolve(release);
          }),
      );
    request().catch(handleError);
  });
}
