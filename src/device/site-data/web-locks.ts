/**
 * Acquires a lock that no other page of this browser holds (Web Locks API). The browser also releases it when the page
 * ends, however it ends.
 * @returns a function that releases it; null if it was requested `ifAvailable` and another page holds it
 * @throws the browser's error: `SecurityError` if it blocks site data
 */
export function acquireLock(
  name: string,
  options: Pick<LockOptions, 'ifAvailable'> = {},
): Promise<(() => void) | null> {
  return new Promise((resolve, reject) => {
    // Firefox rejects synchronously, Chromium later.
    const request = async () =>
      navigator.locks.request(name, options, (lock) => {
        if (lock !== null) return new Promise<void>(resolve);
        resolve(null);
        return undefined;
      });
    request().catch(reject);
  });
}

/**
 * The names of the locks with this prefix that pages and workers of this browser hold, without the prefix.
 * @throws the browser's error if it has no locks
 */
export async function heldLockNames(prefix: string): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
