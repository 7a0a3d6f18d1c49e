interface Told {
  subscribe: (listener: () => void) => () => void;
}

/**
 * Resolves as soon as something holds, which is looked at again whenever one of the sources tells of a
 * change.
 */
export const until = (sources: readonly Told[], holds: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (holds()) {
      resolve();
      return;
    }
    const forgets = sources.map((source) =>
      source.subscribe(() => {
        if (!holds()) return;
        for (const forget of forgets) forget();
        resolve();
      }),
    );
  });
