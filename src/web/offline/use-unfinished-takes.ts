import { useEffect, useState } from 'react';
import { second } from '#base/duration.ts';
import { hasUnfinishedTake } from './unfinished-takes.ts';

/** Locks notify only those who wait for them, so they are polled. A user does not notice a delay of two seconds. */
const pollIntervalMs = 2 * second;

/** Whether any tab of this browser has a take that still needs its page; `true` until that is known. */
export function useUnfinishedTakes(): boolean {
  const [isUnfinished, set] = useState(true);
  useEffect(() => {
    let isOver = false;
    const check = () => {
      void hasUnfinishedTake().then(
        (found) => {
          if (!isOver) set(found);
        },
        () => undefined,
      );
    };
    check();
    const timer = setInterval(check, pollIntervalMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  return isUnfinished;
}
