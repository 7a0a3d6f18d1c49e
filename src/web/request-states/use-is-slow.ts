import { useEffect, useState } from 'react';
import { maxSilentWaitMs } from '#web/api/connection/cut-off.ts';

/** True once a wait has lasted longer than a screen may stay silent. */
export function useIsSlow(isWaiting: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      setSlow(true);
    }, maxSilentWaitMs);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isWaiting]);
  return isWaiting && isSlow;
}
