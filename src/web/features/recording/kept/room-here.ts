/** What the browser says of this site's room; null where it does not say. */
export interface RoomHere { usedBytes: number | null; freeBytes: number | null; isPromised: boolean | null }

/** Asks the browser how much this site stores, how much more it may, and whether it has promised not to clear it by itself. */
export async function roomHere(): Promise<RoomHere> {
  const [estimate, isPromised] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => null),
    navigator.storage?.persisted?.().catch(() => null),
  ]);
  const { quota, usage } = estimate ?? {};
  return { usedBytes: usage ?? null, freeBytes: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)), isPromised: isPromised ?? null };
}

/** Asks the browser to promise that it keeps what this site stores; false where it refuses or knows no such promise. */
export async function askToKeep(): Promise<boolean> {
  return await navigator.storage?.persist?.().catch(() => false) ?? false;
}
