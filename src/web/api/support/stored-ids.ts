/** A short list of ids in one of the browser's small stores; where that is refused, or holds something else, it is empty. */
export function storedIds(storage: () => Storage, key: string) {
  return {
    read: (): readonly string[] => {
      try {
        const stored: unknown = JSON.parse(storage().getItem(key) ?? '[]');
        return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
      } catch {
        return [];
      }
    },
    /** Keeps the newest of them, at most so many. */
    keep: (ids: ReadonlySet<string>, most: number): void => {
      try { storage().setItem(key, JSON.stringify([...ids].slice(-most))); } catch { return; }
    },
  };
}
