/** Safari's Audio Session API, not yet in TypeScript's library. */
interface AudioSessionHolder {
  audioSession?: { type: string };
}

/**
 * Prevents the screen from turning off and the system from suspending audio during a take. Returns a function that
 * undoes this.
 */
export function keepAwake(): () => void {
  let sentinel: WakeLockSentinel | null = null;
  let isReleased = false;
  const holder: Navigator & AudioSessionHolder = navigator;
  if (holder.audioSession) holder.audioSession.type = 'play-and-record';

  const lock = async () => {
    if (isReleased || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    // Browsers reject the lock on low battery. The take continues without it.
    const taken = await navigator.wakeLock.request('screen').catch(() => null);
    if (isReleased) await taken?.release();
    else sentinel = taken;
  };
  // The browser releases the lock whenever the page is hidden.
  const onVisible = () => {
    void lock();
  };
  document.addEventListener('visibilitychange', onVisible);
  void lock();

  return () => {
    isReleased = true;
    document.removeEventListener('visibilitychange', onVisible);
    void sentinel?.release();
    if (holder.audioSession) holder.audioSession.type = 'auto';
  };
}

/**
 * Makes the browser warn before the page closes. Use it only while audio would be lost. Returns a function that
 * undoes this.
 */
export function warnBeforeLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    event.preventDefault();
  };
  globalThis.addEventListener('beforeunload', warn);
  return () => {
    globalThis.removeEventListener('beforeunload', warn);
  };
}
