import { second } from '#base/duration.ts';

/** A worker that was ended a moment ago lets go of its lock when its thread is gone. */
const longestWaitMs = 2 * second;

/**
 * Takes the lock `recording:<id>`, which says that somebody writes this take, and holds it until the worker
 * ends.
 * @param isPatient the page has just ended the worker that had it: waits for it a moment
 * @returns false when another tab has it
 */
export function holdRecordingLock(takeId: string, isPatient: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options: LockOptions = isPatient
      ? { signal: AbortSignal.timeout(longestWaitMs) }
      : { ifAvailable: true };
    const held = navigator.locks.request(recordingLockName(takeId), options, (lock) => {
      resolve(lock !== null);
      // Never settles: a worker that closes, crashes or is terminated releases its locks.
      return lock === null ? undefined : new Promise<void>(() => {});
    });
    held.catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'TimeoutError') resolve(false);
      else reject(error);
    });
  });
}

/**
 * The name of the lock, for a page that wants to know whether a take has a living writer
 * (`navigator.locks.query`).
 */
export const recordingLockName = (takeId: string): string => `recording:${takeId}`;

/**
 * The takes whose lock is held by a worker of any page of this browser. Rejects where the browser
 * rejects locks.
 */
export async function heldTakeIds(): Promise<ReadonlySet<string>> {
  const prefix = recordingLockName('');
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}

/** Resolves when no worker holds the take any more; rejects where the browser has no locks. */
export async function whenWriterEnds(takeId: string): Promise<void> {
  await navigator.locks.request(recordingLockName(takeId), { mode: 'shared' }, () => undefined);
}
