import { recordingLockName } from '#workers/encode/recording-lock.ts';
import type { TakeRecord } from '#workers/encode/take-record.ts';
import { listTakes } from '#workers/encode/takes-store.ts';

type Facts = Pick<TakeRecord, 'id' | 'state' | 'ownerId' | 'receiptAtMs'>;

/**
 * Whether one of the takes that some page holds still needs that page: it is being recorded, or has an owner and is on its way to the
 * server. A take of nobody that was stopped is whole on this device and waits for nothing a page could do.
 */
export function isAnyUnfinished(takes: readonly Facts[], heldLocks: readonly string[]): boolean {
  const held = new Set(heldLocks);
  return takes.some((take) => held.has(recordingLockName(take.id)) && (take.state === 'recording' || (take.ownerId !== null && take.receiptAtMs === null)));
}

/** The same, asked of this browser: takes of this and every other tab, whosever they are. */
export async function hasUnfinishedTake(): Promise<boolean> {
  const [takes, { held = [] }] = await Promise.all([listTakes().catch(() => []), navigator.locks.query()]);
  return isAnyUnfinished(takes, held.flatMap(({ name }) => name ?? []));
}
