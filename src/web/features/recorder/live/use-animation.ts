import { useEffect, useEffectEvent } from 'react';

/**
 * Every second frame on most screens. This saves battery during long takes, and the wave moves only two pixels at
 * a time.
 */
const atLeastMs = 30;

/**
 * Calls `draw` about thirty times a second while `isOn` and the page is visible, with the time since the last
 * call.
 */
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
