/** A microphone as the system lists it. */
export type ListedMicrophone = Pick<MediaDeviceInfo, 'deviceId' | 'groupId'>;

/** The microphones that are plugged in; empty if the browser does not list them. */
export async function listMicrophones(): Promise<readonly ListedMicrophone[]> {
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return devices.filter(({ kind }) => kind === 'audioinput');
}

/** The permission status; null if the browser does not report it in advance. */
async function permission(): Promise<PermissionStatus | null> {
  return (await navigator.permissions?.query({ name: 'microphone' }).catch(() => null)) ?? null;
}

/** False if the browser is known to deny the microphone. */
export async function mayListen(): Promise<boolean> {
  return (await permission())?.state !== 'denied';
}

/**
 * Calls `onChange` when microphones are plugged in or unplugged, when the permission changes and when the page
 * becomes visible. Returns a function that stops this.
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
