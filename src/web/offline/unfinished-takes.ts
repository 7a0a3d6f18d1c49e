import { heldTakeIds } from '#device/takes/recording-lock.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { listTakes } from '#device/takes/takes-store.ts';

type Facts = Pick<TakeRecord, 'id' | 'state' | 'ownerId' | 'receiptAtMs'>;

/**
 * Whether a page still needs to stay open for one of the takes that it holds: the take is being recorded, or has
 * an owner and is being uploaded. A stopped take without an owner is complete on this device, so no page can do
 * anything for it.
 */
export function isAnyUnfinished(takes: readonly Facts[], heldIds: ReadonlySet<string>): boolean {
  const known = new Map(takes.map((take) => [take.id, take]));
  return [...heldIds].some((takeId) => {
    const take = known.get(takeId);
    // A take that the browser could not store is only in the memory of its page.
    return (
      take === undefined || take.state === 'recording' || (take.ownerId !== null && take.receiptAtMs === null)
    );
  });
}

/** The same for the takes of this and every other tab, of any owner. */
export async function hasUnfinishedTake(): Promise<boolean> {
  const [takes, heldIds] = await Promise.all([listTakes().catch(() => []), heldTakeIds()]);
  return isAnyUnfinished(takes, heldIds);
}
