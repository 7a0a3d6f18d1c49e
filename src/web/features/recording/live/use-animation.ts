import { useEffect, useEffectEvent } from 'react';

/** Calls back before every frame while `isOn` and the page is seen; `elapsedMs` since the frame before. */
export function useAnimation(isOn: boolean, draw: (elapsedMs: number) => void): void {
  const handleFrame = useEffectEvent(draw);
  useEffect(() => {
    if (!isOn) return undefined;
    let previousMs = performance.now();
    let frame = requestAnimationFrame(function next(nowMs) {
      handleFrame(nowMs - previousMs);
      previousMs = nowMs;
      frame = requestAnimationFrame(next);
    });
    return () => { cancelAnimationFrame(frame); };
  }, [isOn]);
}
