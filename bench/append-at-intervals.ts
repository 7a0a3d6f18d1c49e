import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';

/** The state of a running SHA-256. */
const noteBytes = 116;

/**
 * Appends to a stream at equal intervals, as a device does, until `goesOn` returns false. An append that takes longer
 * than the interval makes the next ones follow at once.
 * @param options.startMs the delay before the first append
 * @param options.onWait called with how long each append took, in milliseconds
 */
export async function appendAtIntervals(
  store: BlobStore,
  key: string,
  options: {
    sizeBytes: number;
    everyMs: number;
    startMs: number;
    goesOn: (nth: number) => boolean;
    onWait: (waitMs: number) => void;
  },
): Promise<void> {
  const { sizeBytes, everyMs, startMs, goesOn, onWait } = options;
  const [bytes, note] = [randomBytes(sizeBytes), randomBytes(noteBytes)];
  const startedMs = performance.now() + startMs;
  for (let offsetBytes = 0, nth = 0; goesOn(nth); nth += 1) {
    const dueMs = startedMs + nth * everyMs - performance.now();
    if (dueMs > 0) await delay(dueMs);
    const sentMs = performance.now();
    offsetBytes = await store.append(key, { offsetBytes, bytes, epoch: 1, note });
    onWait(performance.now() - sentMs);
  }
}
