import { useEffect, useState } from 'react';
import { longestSilentWaitMs } from '#web/api/connection/cut-off.ts';

/** True once something has been waited for longer than a screen may in silence. */
export function useLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      setLate(true);
    }, longestSilentWaitMs);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isWaiting && isLate;
}
