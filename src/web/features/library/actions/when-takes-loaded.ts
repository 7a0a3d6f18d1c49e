/** Where what lies on this device is looked for. */
export interface DeviceLook {
  /** Null once the device was looked at; until then nobody knows what lies here. */
  looking: () => Promise<void> | null;
}

/**
 * Does something once it is known what lies on this device: at once where it was looked at, as the page may
 * be left on the next beat.
 */
export async function onceLooked<T>({ looking }: DeviceLook, act: () => Promise<T>): Promise<T> {
  const look = looking();
  if (look !== null) await look;
  return act();
}
