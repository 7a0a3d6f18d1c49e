import { recordingLockName } from '#device/takes/recording-lock.ts';
import type { TakeRecord } from '#device/takes/take-record.ts';
import { listTakes } from '#device/takes/takes-store.ts';

type Facts = Pick<TakeRecord, 'id' | 'state' | 'ownerId' | 'receiptAtMs'>;

/**
 * Whether one of the takes that some page holds still needs that page: it is being recorded, or has an owner
 * and is on its way to the server. A take of nobody that was stopped is whole on this device and waits for
 * nothing a page could do.
 */
export function isAnyUnfinished(takes: readonly Facts[], heldLocks: readonly string[]): boolean {
  const known = new Map(takes.map((take) => [recordingLockName(take.id), take]));
  return heldLocks
    .filter((name) => name.startsWith(recordingLockName('')))
    .some((name) => {
      const take = known.get(name);
      // A take that the device may not store is in the memory of its page alone.
      return (
        take === undefined ||
        take.state === 'recording' ||
        (take.ownerId !== null && take.receiptAtMs === null)
      );
    });
}

/** The same, asked of this browser: takes of this and every other tab, whosever they are. */
export async function hasUnfinishedTake(): Promise<boolean> {
  const [takes, { held = [] }] = await Promise.all([listTakes().catch(() => []), navigator.locks.query()]);
  return isAnyUnfinished(
    takes,
    held.flatMap(({ name }) => name ?? []),
  );
}
