import { recordingLockName } from '#device/takes/recording-lock.ts';

const prefix = recordingLockName('');

/**
 * The takes whose lock is held by a worker of any page of this browser. Rejects where the browser refuses
 * locks: then there are no takes to read either.
 */
export async function heldTakeIds(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}

/** Resolves when no worker holds the take any more; rejects where the browser gives no locks. */
export async function whenWriterEnds(takeId: string): Promise<void> {
  await navigator.locks.request(recordingLockName(takeId), { mode: 'shared' }, () => undefined);
}
