const lockName = 'auth-dialog';

export interface DialogLock {
  /**
   * Takes the one right of this browser to show the sign-in dialog.
   * @param how `if-free`: or not at all; `in-turn`: once no other tab has it; `at-once`: away from the tab that has it
   * @param onLost another tab took it away
   * @returns false when it is not free, or when `release` was called meanwhile
   */
  take(how: 'if-free' | 'in-turn' | 'at-once', onLost: () => void): Promise<boolean>;
  /** Gives it back, or gives up waiting for it. */
  release(): void;
}

const optionsFor = { 'if-free': { ifAvailable: true }, 'at-once': { steal: true } } as const;

/**
 * A Web Lock (W3C Web Locks API) keeps two tabs from asking the same person twice; where there are none,
 * every tab may show its dialog.
 */
export function createDialogLock(locks: LockManager | undefined): DialogLock {
  let giveBack: (() => void) | null = null;
  let waiting = new AbortController();
  const release = () => {
    waiting.abort();
    waiting = new AbortController();
    giveBack?.();
    giveBack = null;
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
              giveBack = done;
            });
          })
          .catch(() => {
            resolve(false);
            // Stolen: what was to be given back is no longer ours.
            if (!isHeld) return;
            giveBack = null;
            onLost();
          });
      });
    },
  };
}
