const loads: (() => Promise<unknown>)[] = [];

/**
 * Defers the load of modules or files that would slow down the start of the server. They are loaded on first use, or
 * soon after the start: an update may replace the files of a running server, so none is read later.
 * @param load is called again after a failure
 * @returns loads on the first call, and returns the same afterwards
 */
export function deferred<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  const once = (): Promise<T> =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = null;
      throw error;
    }));
  loads.push(once);
  return once;
}

/** Everything that was deferred so far. */
export const deferredLoads = (): readonly (() => Promise<unknown>)[] => loads;
