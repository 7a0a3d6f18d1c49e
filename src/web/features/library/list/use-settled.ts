import { startTransition, useEffect, useState } from 'react';

/** What a wheel or a dragged bar leaves behind again before this was never looked at. */
const staysAfterMs = 120;

/**
 * Whether something that came into view has come to stay: at once where nothing moves, else a moment later.
 * @param isMoving whether the list is being scrolled; asked once
 */
export function useSettled(isMoving: () => boolean): boolean {
  const [isSettled, setSettled] = useState(() => !isMoving());
  useEffect(() => {
    if (isSettled) return undefined;
    const timer = setTimeout(() => {
      startTransition(() => {
        setSettled(true);
      });
    }, staysAfterMs);
    return () => {
      clearTimeout(timer);
    };
  }, [isSettled]);
  return isSettled;
}
