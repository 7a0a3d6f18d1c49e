import { changing, reading } from '#device/database.ts';
import { placesOf } from '#device/records/stream-places.ts';
import { releaseSlots } from '#device/streams/slot-pool.ts';
import { removeLogs } from '#device/streams/stream-log.ts';
import { currentRecord, type TakeRecord } from '#device/records/take-record.ts';

let lastWrite: Promise<unknown> = Promise.resolve();

/** All takes on this device, oldest first. */
export async function listTakes(): Promise<TakeRecord[]> {
  const takes = await reading('takes', ({ store }) => store.getAll());
  return takes.map(currentRecord).toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/** One take, or null if this device doesn't have it. */
export async function getTake(id: string): Promise<TakeRecord | null> {
  const stored = await reading('takes', ({ store }) => store.get(id));
  return stored === undefined ? null : currentRecord(stored);
}

/** Writes a whole take. Resolves once it is on the disk. */
export async function putTake(take: TakeRecord): Promise<void> {
  await inTurn(async (store) => {
    await store.put(take);
  });
}

/**
 * Changes a stored take in one transaction, so that the page and a worker never overwrite each other's changes.
 * Returns null if the take no longer exists.
 */
export async function changeTake(
  id: string,
  change: (take: TakeRecord) => TakeRecord,
): Promise<TakeRecord | null> {
  return inTurn(async (store) => {
    const take = await store.get(id);
    if (take === undefined) return null;
    const changed = change(currentRecord(take));
    await store.put(changed);
    return changed;
  });
}

/**
 * Replaces a take by one with another id and the same audio, in one transaction. Returns false if the take no longer
 * exists or `replace` returns null.
 */
export async function replaceTake(
  id: string,
  replace: (take: TakeRecord) => TakeRecord | null,
): Promise<boolean> {
  return inTurn(async (store) => {
    const take = await store.get(id);
    const next = take === undefined ? null : replace(currentRecord(take));
    if (next === null) return false;
    await store.delete(id);
    await store.put(next);
    return true;
  });
}

/** Removes a take and its audio from this device. */
export async function removeTake(id: string): Promise<void> {
  const take = await inTurn(async (store) => {
    const found = await store.get(id);
    await store.delete(id);
    return found;
  });
  if (take === undefined) return;
  // If the page crashes from here on, `fillSlots` later removes the orphaned slots and log.
  const places = placesOf(take);
  await releaseSlots(places.flatMap(({ slot }) => slot ?? []));
  await removeLogs(places.map(({ uploadId }) => uploadId));
}

interface TakesStore {
  get(id: string): Promise<TakeRecord | undefined>;
  put(take: TakeRecord): Promise<unknown>;
  delete(id: string): Promise<void>;
}

/** Runs one write at a time. */
function inTurn<T>(change: (store: TakesStore) => Promise<T>): Promise<T> {
  const write = lastWrite.then(() =>
    changing(['takes'], (transaction) => change(transaction.objectStore('takes'))),
  );
  lastWrite = write.catch(() => undefined);
  return write;
}
