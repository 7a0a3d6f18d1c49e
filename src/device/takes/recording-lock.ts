import { second } from '#base/duration.ts';
import { heldLockNames } from '#device/site-data/web-locks.ts';

/** A terminated worker releases its lock only when its thread has ended. */
const maxWaitMs = 2 * second;

/**
 * Acquires the lock `recording:<id>`, which means that a worker writes this take, and holds it until the worker
 * ends.
 * @param isPatient whether the page has just terminated the worker that held the lock; waits up to two seconds for
 * it
 * @returns false if another tab holds the lock
 */
export function holdRecordingLock(takeId: string, isPatient: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options: LockOptions = isPatient
      ? { signal: AbortSignal.timeout(maxWaitMs) }
      : { ifAvailable: true };
    const held = navigator.locks.request(recordingLockName(takeId), options, (lock) => {
      resolve(lock !== null);
      // Never settles: the lock is released when the worker closes, crashes or is terminated.
      return lock === null ? undefined : new Promise<void>(() => {});
    });
    held.catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'TimeoutError') resolve(false);
      else reject(error);
    });
  });
}

/**
 * The name of a take's lock. Pages look for it with `navigator.locks.query` to find out whether a take has a
 * writer.
 */
export const recordingLockName = (takeId: string): string => `recording:${takeId}`;

/** The takes whose lock a worker of any page of this browser holds. Rejects if the browser rejects locks. */
export const heldTakeIds = (): Promise<ReadonlySet<string>> => heldLockNames(recordingLockName(''));

/** Resolves when no worker holds the take. Rejects if the browser has no locks. */
export async function whenWriterEnds(takeId: string): Promise<void> {
  await navigator.locks.request(recordingLockName(takeId), { mode: 'shared' }, () => undefined);
}
