import { readJson, writeText, type StoreName } from '#web/site-data/text-store.ts';

/**
 * A short list of ids in one of the browser's small stores; where that is refused, or holds something else,
 * it is empty.
 */
export function storedIds(store: StoreName, key: string) {
  return {
    read: (): readonly string[] => {
      const stored = readJson(store, key);
      return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
    },
    /** Keeps the newest of them, at most so many. */
    keep: (ids: ReadonlySet<string>, most: number): void => {
      writeText(store, key, JSON.stringify([...ids].slice(-most)));
    },
  };
}
