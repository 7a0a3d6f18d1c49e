/** The takes on this device, which are loaded when the page starts. */
export interface TakesLoading {
  /** Null once the takes are loaded. */
  loading: () => Promise<void> | null;
}

/**
 * Runs `act` once the takes on this device are loaded. If they already are, it runs synchronously, because the
 * page may be about to close.
 */
export async function whenTakesLoaded<T>({ loading }: TakesLoading, act: () => Promise<T>): Promise<T> {
  const loaded = loading();
  if (loaded !== null) await loaded;
  return act();
}
