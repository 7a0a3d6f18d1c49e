import { useEffect, useEffectEvent } from 'react';

/**
 * Every second frame of most screens: a take may last for hours, on a battery, and its wave moves two pixels
 * at a time.
 */
const atLeastMs = 30;

/** Calls back thirty times a second while `isOn` and the page is seen; `elapsedMs` since the last time. */
export function useAnimation(isOn: boolean, draw: (elapsedMs: number) => void): void {
  const handleFrame = useEffectEvent(draw);
  useEffect(() => {
    if (!isOn) return undefined;
    let previousMs = performance.now();
    let frame = requestAnimationFrame(function next(nowMs) {
      frame = requestAnimationFrame(next);
      if (nowMs - previousMs < atLeastMs) return;
      handleFrame(nowMs - previousMs);
      previousMs = nowMs;
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [isOn]);
}
