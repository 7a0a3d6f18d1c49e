/**
 * Waits until nobody works at an import any more, and holds its lock from then on: two tabs never do the same.
 * @returns what lets go of it; the browser does so too when the page ends
 */
export function holdImportLock(importId: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(`import:${importId}`, () => new Promise<void>((release) => { resolve(release); })).catch(reject);
  });
}
