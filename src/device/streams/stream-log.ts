import { changing, reading } from '#device/database.ts';
import { endOf, type LogEntry } from '#device/records/log-entry.ts';

/** The longest entry that is written. A batch of `entriesAtOnce` such entries takes a few megabytes of memory. */
export const maxEntryBytes = 128 * 1024;
const entriesAtOnce = 32;

/**
 * The entries of a stream that begin in a range. Arrays sort after numbers in IndexedDB keys, so `[]` is an upper
 * bound.
 */
const beginningIn = (uploadId: string, fromBytes: number, toBytes?: number): IDBKeyRange =>
  IDBKeyRange.bound([uploadId, fromBytes], [uploadId, toBytes ?? []], false, true);

/** One write to the log of one stream. */
export interface LogWrite {
  entry: LogEntry | null;
  /** Removes the entries that begin in this range. */
  trim: { fromBytes: number; toBytes: number } | null;
  /** Whether this entry replaces all entries at or after its beginning. */
  isRewritten?: boolean;
}

/**
 * Writes to several streams in one transaction. It is strict, unless it writes only provisional pages, which are
 * not worth waiting for the disk.
 */
export async function writeLog(writes: ReadonlyMap<string, LogWrite>): Promise<void> {
  const durability = [...writes.values()].every(({ entry }) => entry?.isSketch === true)
    ? 'relaxed'
    : 'strict';
  await changing(
    ['log'],
    async (transaction) => {
      const log = transaction.objectStore('log');
      await Promise.all(
        [...writes].map(async ([uploadId, { entry, trim, isRewritten }]) => {
          if (trim) await log.delete(beginningIn(uploadId, trim.fromBytes, trim.toBytes));
          if (entry && isRewritten) await log.delete(beginningIn(uploadId, entry.offsetBytes));
          if (entry) await log.put(entry);
        }),
      );
    },
    durability,
  );
}

/** The entries of a stream in order, read in batches, from the first that begins at or after `fromBytes`. */
export async function* entriesOf(uploadId: string, fromBytes = 0): AsyncGenerator<LogEntry> {
  let nextBytes = fromBytes;
  for (;;) {
    const fromHere = nextBytes;
    const entries = await reading('log', ({ store }) =>
      store.getAll(beginningIn(uploadId, fromHere), entriesAtOnce),
    );
    yield* entries;
    const last = entries.at(-1);
    if (!last || entries.length < entriesAtOnce) return;
    nextBytes = last.offsetBytes + 1;
  }
}

/**
 * The offsets at which the entries of a stream begin, in order, and the end of the last one that is not a
 * provisional page; null if the log has no such entry.
 */
export async function extentOf(uploadId: string): Promise<{ beginnings: number[]; endBytes: number } | null> {
  return reading('log', async ({ store }) => {
    const beginnings: number[] = [];
    const keys = await store.getAllKeys(beginningIn(uploadId, 0));
    for (const [, offsetBytes] of keys) beginnings.push(offsetBytes);
    for (
      let cursor = await store.openCursor(beginningIn(uploadId, 0), 'prev');
      cursor;
      cursor = await cursor.continue()
    ) {
      if (!cursor.value.isSketch) return { beginnings, endBytes: endOf(cursor.value) };
      beginnings.pop();
    }
    return null;
  });
}

/** Reads a part of a stream, up to the first hole in the log. */
export async function readLog(
  uploadId: string,
  offsetBytes: number,
  sizeBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const wanted = new Uint8Array(sizeBytes);
  let filledBytes = 0;
  for await (const entry of entriesOf(uploadId, await beginningBefore(uploadId, offsetBytes))) {
    const atBytes = offsetBytes + filledBytes;
    if (entry.isSketch || entry.offsetBytes > atBytes || filledBytes === sizeBytes) break;
    const piece = entry.bytes.subarray(
      atBytes - entry.offsetBytes,
      atBytes - entry.offsetBytes + sizeBytes - filledBytes,
    );
    wanted.set(piece, filledBytes);
    filledBytes += piece.length;
  }
  return wanted.slice(0, filledBytes);
}

/** The beginning of the entry that contains an offset. */
async function beginningBefore(uploadId: string, offsetBytes: number): Promise<number> {
  return reading('log', async ({ store }) => {
    const cursor = await store.openKeyCursor(
      IDBKeyRange.bound([uploadId, 0], [uploadId, offsetBytes]),
      'prev',
    );
    return cursor === null ? offsetBytes : cursor.key[1];
  });
}

/** Truncates the logged stream to `sizeBytes`, durably. */
export async function cutLog(uploadId: string, sizeBytes: number): Promise<void> {
  await changing(['log'], async (transaction) => {
    const log = transaction.objectStore('log');
    await log.delete(beginningIn(uploadId, sizeBytes));
    const cursor = await log.openCursor(beginningIn(uploadId, 0), 'prev');
    if (cursor === null || endOf(cursor.value) <= sizeBytes) return;
    await cursor.update({
      ...cursor.value,
      bytes: cursor.value.bytes.slice(0, sizeBytes - cursor.value.offsetBytes),
    });
  });
}

/** Removes all entries of these streams. */
export async function removeLogs(uploadIds: readonly string[]): Promise<void> {
  if (uploadIds.length === 0) return;
  await changing(['log'], async (transaction) => {
    const log = transaction.objectStore('log');
    await Promise.all(uploadIds.map((uploadId) => log.delete(beginningIn(uploadId, 0))));
  });
}

/**
 * Makes the provisional page at the end of a stream part of the stream. Returns the end of the stream in bytes.
 */
export async function settleProvisionalPage(uploadId: string): Promise<number> {
  return changing(['log'], async (transaction) => {
    const log = transaction.objectStore('log');
    const cursor = await log.openCursor(beginningIn(uploadId, 0), 'prev');
    if (cursor === null) return 0;
    const { isSketch, ...entry } = cursor.value;
    if (isSketch) await cursor.update(entry);
    return endOf(entry);
  });
}
