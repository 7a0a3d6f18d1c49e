import { changing, type Changing, reading } from '#device/database.ts';
import { removeLogs } from './stream-log.ts';
import { placesOf } from '#device/records/stream-places.ts';
import { oldestFree, planPool, type PoolPlan } from './slot-choice.ts';
import type { SlotRecord } from '#device/records/slot-record.ts';

/** A slot claimed for a stream, and its file. */
export interface ClaimedSlot {
  record: SlotRecord;
  file: FileSystemFileHandle;
}

/**
 * Creates free slots in advance, adopts files that crashes left, and releases orphaned slots. Call it when idle,
 * on the page or in a worker. Never rejects.
 */
export async function fillSlots(): Promise<void> {
  try {
    const files = await slotFileNames();
    const takes = await reading('takes', ({ store }) => store.getAll());
    const uploadIds = new Set(takes.flatMap(placesOf).map(({ uploadId }) => uploadId));
    const receipted = new Set(
      takes
        .filter(({ receiptAtMs }) => receiptAtMs !== null)
        .flatMap(placesOf)
        .map(({ uploadId }) => uploadId),
    );
    const plan = planPool(await reading('slots', ({ store }) => store.getAll()), {
      files,
      uploadIds,
      receipted,
      nowMs: Date.now(),
    });
    const made = Array.from({ length: plan.make }, () => crypto.randomUUID());
    for (const name of made) await makeSlotFile(name);
    await enterPlan(plan, made);
    await removeLogs([...plan.settled, ...plan.reclaim.flatMap(({ takenBy }) => takenBy ?? [])]);
    await releaseSlots(plan.reclaim.map(({ name }) => name));
  } catch {
    // The device has no OPFS or no free space. Takes handle that themselves.
  }
}

async function enterPlan({ adopt, forget }: PoolPlan, made: readonly string[]): Promise<void> {
  await changing(['slots'], async (transaction) => {
    const slots = transaction.objectStore('slots');
    for (const name of [...adopt, ...made]) {
      if ((await slots.get(name)) === undefined) await slots.put(freeSlot(name));
    }
    for (const name of forget) {
      if ((await slots.get(name))?.takenBy === null) await slots.delete(name);
    }
  });
}

const freeSlot = (name: string): SlotRecord => ({
  name,
  createdAtMs: Date.now(),
  takenBy: null,
  takenAtMs: null,
});

/** Claims the oldest free slot for a stream, or a new one. No two streams of any worker get the same slot. */
export async function claimSlot(uploadId: string): Promise<ClaimedSlot> {
  for (;;) {
    const record = (await claim(uploadId)) ?? (await makeSlotFor(uploadId));
    const file = await findSlotFile(record.name);
    if (file !== null) return { record, file };
    await changing(['slots'], (transaction) => transaction.objectStore('slots').delete(record.name));
  }
}

async function claim(uploadId: string): Promise<SlotRecord | null> {
  return changing(['slots'], async (transaction) => {
    const slots = transaction.objectStore('slots');
    const free = oldestFree(await slots.getAll());
    return free && enterClaim(transaction, { ...free, takenBy: uploadId });
  });
}

async function makeSlotFor(uploadId: string): Promise<SlotRecord> {
  const name = crypto.randomUUID();
  await makeSlotFile(name);
  return changing(['slots'], (transaction) =>
    enterClaim(transaction, { ...freeSlot(name), takenBy: uploadId }),
  );
}

async function enterClaim(transaction: Changing<'slots'>, record: SlotRecord): Promise<SlotRecord> {
  const claimed = { ...record, takenAtMs: Date.now() };
  await transaction.objectStore('slots').put(claimed);
  return claimed;
}

/** Finds the slot of a stream. If its file no longer exists, a new one is created, which counts as new. */
export async function findSlot(name: string, uploadId: string): Promise<ClaimedSlot> {
  const file = await findSlotFile(name);
  const stored = await reading('slots', ({ store }) => store.get(name));
  if (file !== null && stored?.takenBy === uploadId) return { record: stored, file };
  const made = file ?? (await makeSlotFile(name));
  const record = await changing(['slots'], (transaction) =>
    enterClaim(transaction, { ...freeSlot(name), takenBy: uploadId }),
  );
  return { record, file: made };
}

/**
 * Releases slots and their disk space. A worker truncates the file, which preserves its age; a page can't truncate
 * files in place and removes it. A file that another worker holds open stays claimed until `fillSlots` finds that
 * no take uses it.
 */
export async function releaseSlots(names: readonly string[]): Promise<void> {
  const canEmpty = await hasSlotFiles();
  for (const name of names) {
    try {
      await (canEmpty ? emptySlot(name) : removeSlot(name));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
}

async function emptySlot(name: string): Promise<void> {
  const file = await findSlotFile(name);
  if (file === null) return forgetSlot(name);
  const handle = await openHandle(file);
  handle.truncate(0);
  handle.flush();
  handle.close();
  await changing(['slots'], async (transaction) => {
    const slots = transaction.objectStore('slots');
    const slot = await slots.get(name);
    if (slot) await slots.put({ ...slot, takenBy: null, takenAtMs: null });
  });
}

async function removeSlot(name: string): Promise<void> {
  if ((await findSlotFile(name)) !== null) await (await slotDirectory()).removeEntry(name);
  await forgetSlot(name);
}

async function forgetSlot(name: string): Promise<void> {
  await changing(['slots'], (transaction) => transaction.objectStore('slots').delete(name));
}

/**
 * The directory of the slot files in the origin-private file system. Rejects if this window has no such file
 * system.
 */
async function slotDirectory(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle('slots', { create: true });
}

/** The file of a slot; null if it doesn't exist. */
export async function findSlotFile(name: string): Promise<FileSystemFileHandle | null> {
  try {
    return await (await slotDirectory()).getFileHandle(name);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') return null;
    throw error;
  }
}

/** The file of a slot, created if it doesn't exist. */
async function makeSlotFile(name: string): Promise<FileSystemFileHandle> {
  return (await slotDirectory()).getFileHandle(name, { create: true });
}

/** The names of all existing slot files. */
async function slotFileNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (await slotDirectory()).keys()) names.push(name);
  return names;
}

/** Whether files can be written: only in workers, and in some browsers not in private windows. */
export async function hasSlotFiles(): Promise<boolean> {
  try {
    await slotDirectory();
    return 'createSyncAccessHandle' in FileSystemFileHandle.prototype;
  } catch {
    return false;
  }
}

const tries = 20;
const betweenTriesMs = 100;

/**
 * Opens a file for writing. Retries because, after a crash, the browser may hold the file handle of the dead
 * worker longer than its lock.
 */
export async function openHandle(file: FileSystemFileHandle): Promise<FileSystemSyncAccessHandle> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      const isHeld = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isHeld || attempt === tries) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, betweenTriesMs);
      });
    }
  }
}
