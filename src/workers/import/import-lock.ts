const nothingToRelease = (): void => undefined;

/**
 * Waits until nobody works at an import any more, and holds its lock from then on: two tabs never do the
 * same.
 * @returns what lets go of it; the browser does so too when the page ends. A browser that refuses locks refuses its stores as well, so no other tab knows of the import.
 */
export function holdImportLock(importId: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const handleError = (error: unknown) => {
      if (error instanceof DOMException && error.name === 'SecurityError') resolve(nothingToRelease);
      else reject(error);
    };
    // Firefox refuses at once, Chromium later.
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
