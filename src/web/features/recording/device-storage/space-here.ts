/**
 * What the browser says about storage for this site; null where it does not say. Its usage is no figure for
 * the screen: it counts reserved space too, and after a kill it can be 4 GB off (decision 0078).
 */
export interface RoomHere {
  freeBytes: number | null;
  isPromised: boolean | null;
}

/**
 * Asks the browser how much more this site may store, and whether it has promised not to clear it by itself.
 */
export async function roomHere(): Promise<RoomHere> {
  const [estimate, isPromised] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => null),
    navigator.storage?.persisted?.().catch(() => null),
  ]);
  const { quota, usage } = estimate ?? {};
  return {
    freeBytes: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)),
    isPromised: isPromised ?? null,
  };
}

/**
 * Asks the browser to promise that it keeps what this site stores; false where it refuses or knows no such
 * promise.
 */
export async function askToKeep(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false;
}
