import { changing, reading } from '#device/database.ts';
import { placesOf } from '#device/streams/stream-places.ts';
import { releaseSlots } from '#device/streams/slot-pool.ts';
import { removeLogs } from '#device/streams/stream-log.ts';
import { currentRecord, type TakeRecord } from './take-record.ts';

let lastWrite: Promise<unknown> = Promise.resolve();

/** All takes on this device, oldest first. */
export async function listTakes(): Promise<TakeRecord[]> {
  const takes = await reading('takes', ({ store }) => store.getAll());
  return takes.map(currentRecord).toSorted((a, b) => a.startedAtMs - b.startedAtMs);
}

/** One take, or null when this device has none of that id. */
export async function getTake(id: string): Promise<TakeRecord | null> {
  const stored = await reading('takes', ({ store }) => store.get(id));
  return stored === undefined ? null : currentRecord(stored);
}

/** Writes a whole take; resolves once it is on the disk. */
export async function putTake(take: TakeRecord): Promise<void> {
  await inTurn(async (store) => {
    await store.put(take);
  });
}

/**
 * Changes a take as it is stored now, in one transaction, so that the page and a worker never undo each
 * other; null when it is gone.
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

/** Removes a take and its audio from this device. */
export async function removeTake(id: string): Promise<void> {
  const take = await inTurn(async (store) => {
    const found = await store.get(id);
    await store.delete(id);
    return found;
  });
  if (take === undefined) return;
  // A crash from here on leaves slots and a log that belong to nobody: they are found and taken back later.
  const places = placesOf(take);
  await releaseSlots(places.flatMap(({ slot }) => slot ?? []));
  await removeLogs(places.map(({ uploadId }) => uploadId));
}

interface TakesStore {
  get(id: string): Promise<TakeRecord | undefined>;
  put(take: TakeRecord): Promise<unknown>;
  delete(id: string): Promise<void>;
}

/** Writes wait for one another. */
function inTurn<T>(change: (store: TakesStore) => Promise<T>): Promise<T> {
  const write = lastWrite.then(() =>
    changing(['takes'], (transaction) => change(transaction.objectStore('takes'))),
  );
  lastWrite = write.catch(() => undefined);
  return write;
}
