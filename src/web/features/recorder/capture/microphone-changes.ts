/** A microphone as the system lists it. */
export type ListedMicrophone = Pick<MediaDeviceInfo, 'deviceId' | 'groupId'>;

/** The microphones that are plugged in now; empty where the browser does not say. */
export async function listMicrophones(): Promise<readonly ListedMicrophone[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices.filter(({ kind }) => kind === 'audioinput');
}

/** The permission that the browser reports; null if it does not say beforehand. */
async function permission(): Promise<PermissionStatus | null> {
  return (await navigator.permissions?.query({ name: 'microphone' }).catch(() => null)) ?? null;
}

/** False where asking for the microphone is known to be in vain. */
export async function mayListen(): Promise<boolean> {
  return (await permission())?.state !== 'denied';
}

/**
 * Tells when a microphone comes or goes, when the permission changes and when the page is looked at again.
 * Returns a way to stop.
 */
export function onMicrophoneChange(onChange: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  navigator.mediaDevices.addEventListener('devicechange', onChange, { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible') onChange();
    },
    { signal },
  );
  void permission().then((status) => {
    if (!signal.aborted) status?.addEventListener('change', onChange, { signal });
  });
  return () => {
    listening.abort();
  };
}
