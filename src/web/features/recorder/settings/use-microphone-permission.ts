import { useEffect, useState } from 'react';

/**
 * The microphone permission; `prompt` if the browser does not report it in advance. Null until it is known, also in
 * the prerendered page.
 */
export function useMicrophonePermission(): PermissionState | null {
  const [permission, setPermission] = useState<PermissionState | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    const asked =
      navigator.permissions?.query({ name: 'microphone' }) ?? Promise.reject(new Error('unsupported'));
    asked
      .then((status) => {
        if (ending.signal.aborted) return;
        const read = () => setPermission(status.state);
        status.addEventListener('change', read, { signal: ending.signal });
        read();
      })
      .catch(() => setPermission('prompt'));
    return () => {
      ending.abort();
    };
  }, []);
  return permission;
}
