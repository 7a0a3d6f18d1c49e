import { useEffect, useState } from 'react';

/**
 * Whether a check was made longer ago than `afterMs`. The component renders again at that moment, also while no
 * response arrives.
 * @param checkedAtMs Unix milliseconds
 */
export function useIsOld(checkedAtMs: number, afterMs: number): boolean {
  const [oldCheckMs, setOldCheckMs] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        setOldCheckMs(checkedAtMs);
      },
      Math.max(0, checkedAtMs + afterMs - Date.now()),
    );
    return () => {
      clearTimeout(timer);
    };
  }, [checkedAtMs, afterMs]);
  return oldCheckMs === checkedAtMs;
}
