import { useEffect, useState } from 'react';

/** The microphone permission; `prompt` if the browser does not report it in advance. */
export function useMicrophonePermission(): PermissionState {
  const [permission, setPermission] = useState<PermissionState>('prompt');
  useEffect(() => {
    const ending = new AbortController();
    navigator.permissions
      ?.query({ name: 'microphone' })
      .then((status) => {
        if (ending.signal.aborted) return;
        const read = () => setPermission(status.state);
        status.addEventListener('change', read, { signal: ending.signal });
        read();
      })
      .catch(() => undefined);
    return () => {
      ending.abort();
    };
  }, []);
  return permission;
}
