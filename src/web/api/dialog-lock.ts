const lockName = 'auth-dialog';

export interface DialogLock {
  /**
   * Acquires this browser's lock for showing the sign-in dialog.
   * @param how `if-free`: only if no tab has it; `in-turn`: waits until no other tab has it; `at-once`: takes it
   * from the tab that has it
   * @param onLost called when another tab takes it over
   * @returns false if it is not free, or if `release` was called meanwhile
   */
  take(how: 'if-free' | 'in-turn' | 'at-once', onLost: () => void): Promise<boolean>;
  /** Releases the lock, or stops waiting for it. */
  release(): void;
}

const optionsFor = { 'if-free': { ifAvailable: true }, 'at-once': { steal: true } } as const;

/**
 * A Web Lock (W3C Web Locks API) prevents two tabs from prompting the same user. In a browser without Web Locks,
 * every tab may show its dialog.
 */
export function createDialogLock(locks: LockManager | undefined): DialogLock {
  let releaseLock: (() => void) | null = null;
  let waiting = new AbortController();
  const release = () => {
    waiting.abort();
    waiting = new AbortController();
    releaseLock?.();
    releaseLock = null;
  };
  return {
    release,
    take(how, onLost) {
      release();
      if (!locks) return Promise.resolve(true);
      return new Promise((resolve) => {
        const options = how === 'in-turn' ? { signal: waiting.signal } : optionsFor[how];
        let isHeld = false;
        locks
          .request(lockName, options, (lock) => {
            resolve(lock !== null);
            if (lock === null) return undefined;
            isHeld = true;
            return new Promise<void>((done) => {
              releaseLock = done;
            });
          })
          .catch(() => {
            resolve(false);
            // Another tab stole the lock, so there is nothing left to release.
            if (!isHeld) return;
            releaseLock = null;
            onLost();
          });
      });
    },
  };
}
