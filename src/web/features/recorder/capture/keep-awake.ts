/** Safari's Audio Session API, not yet in TypeScript's library. */
interface AudioSessionHolder {
  audioSession?: { type: string };
}

/** Keeps screen and audio alive while a take runs; returns the release. */
export function keepAwake(): () => void {
  let sentinel: WakeLockSentinel | null = null;
  let isReleased = false;
  const holder: Navigator & AudioSessionHolder = navigator;
  if (holder.audioSession) holder.audioSession.type = 'play-and-record';

  const lock = async () => {
    if (isReleased || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    // Refused on low battery; recording goes on without it.
    const taken = await navigator.wakeLock.request('screen').catch(() => null);
    if (isReleased) await taken?.release();
    else sentinel = taken;
  };
  // The system drops the lock whenever the page is hidden.
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

/** Makes the browser ask before the page closes; only while sound would be cut off. Returns the release. */
export function warnBeforeLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    event.preventDefault();
  };
  globalThis.addEventListener('beforeunload', warn);
  return () => {
    globalThis.removeEventListener('beforeunload', warn);
  };
}
