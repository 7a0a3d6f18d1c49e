import { readJson, writeText, type StoreName } from './text-store.ts';

/**
 * A short list of ids in localStorage or sessionStorage. It is empty if the store is blocked or holds anything
 * else.
 */
export function storedIds(store: StoreName, key: string) {
  return {
    read: (): readonly string[] => {
      const stored = readJson(store, key);
      return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
    },
    /** Stores the newest ids, at most `max`. */
    save: (ids: ReadonlySet<string>, max: number): void => {
      writeText(store, key, JSON.stringify([...ids].slice(-max)));
    },
    clear: (): void => {
      writeText(store, key, null);
    },
  };
}
