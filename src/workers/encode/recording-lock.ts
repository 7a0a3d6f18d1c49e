/**
 * Takes the lock `recording:<id>`, which says that somebody writes this take, and holds it until the worker ends.
 * @returns false when another tab has it
 */
export function holdRecordingLock(takeId: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(recordingLockName(takeId), { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      // Never settles: a worker that closes, crashes or is terminated releases its locks.
      return lock === null ? undefined : new Promise<void>(() => {});
    });
    held.catch(reject);
  });
}

/** The name of the lock, for a page that wants to know whether a take has a living writer (`navigator.locks.query`). */
export const recordingLockName = (takeId: string): string => `recording:${takeId}`;
