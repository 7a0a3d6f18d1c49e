/** Takes of this device, which are read when the page starts. */
export interface TakesLoading {
  /** Null once the takes are known. */
  loading: () => Promise<void> | null;
}

/** Acts once the takes of this device are known, and synchronously if they are: the page may close at once. */
export async function whenTakesLoaded<T>({ loading }: TakesLoading, act: () => Promise<T>): Promise<T> {
  const loaded = loading();
  if (loaded !== null) await loaded;
  return act();
}
