import { readJson, writeText, type StoreName } from './text-store.ts';

/**
 * A short list of ids in one of the browser's small stores. It is empty where the store may not be used or holds
 * something else.
 */
export function storedIds(store: StoreName, key: string) {
  return {
    read: (): readonly string[] => {
      const stored = readJson(store, key);
      return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
    },
    /** Stores the newest of them, at most so many. */
    save: (ids: ReadonlySet<string>, most: number): void => {
      writeText(store, key, JSON.stringify([...ids].slice(-most)));
    },
  };
}
