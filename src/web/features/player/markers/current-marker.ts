import { useCallback, useEffect, useRef, useSyncExternalStore, type RefObject } from 'react';
import { countBefore } from '#playback/count-before.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';

/** After user input in the list, automatic scrolling pauses this long. */
const scrollPauseMs = 5000;

/** The last marker at or before a position; null before the first. Markers must be in time order. */
function markerAt(markers: readonly PlayableMarker[], positionMs: number): PlayableMarker | null {
  return markers[countBefore(markers, ({ atMs }) => atMs > positionMs) - 1] ?? null;
}

/**
 * The id of the last marker at or before the playback position; null before the first and before playback starts.
 */
export function useCurrentMarker(markers: readonly PlayableMarker[]): string | null {
  const read = useCallback(() => {
    const { positionMs, status } = player.getSnapshot();
    if (positionMs === 0 && status !== 'playing') return null;
    return markerAt(markers, positionMs)?.id ?? null;
  }, [markers]);
  return useSyncExternalStore(player.subscribe, read);
}

/** Scrolls a list to its current row during playback, unless the user is interacting with it. */
export function useFollowedList(
  list: RefObject<HTMLElement | null>,
  { currentIndex, scrollTo }: { currentIndex: number; scrollTo: (index: number) => void },
): void {
  const touchedAtMs = useRef(-scrollPauseMs);
  useEffect(() => {
    const element = list.current;
    const touched = () => {
      touchedAtMs.current = performance.now();
    };
    const kinds = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
    for (const kind of kinds) element?.addEventListener(kind, touched, { passive: true });
    return () => {
      for (const kind of kinds) element?.removeEventListener(kind, touched);
    };
  }, [list]);
  const latestScrollTo = useRef(scrollTo);
  useEffect(() => {
    latestScrollTo.current = scrollTo;
  });
  useEffect(() => {
    const element = list.current;
    if (
      currentIndex < 0 ||
      !element ||
      element.contains(document.activeElement) ||
      performance.now() - touchedAtMs.current < scrollPauseMs
    )
      return;
    const row = element.querySelector('[aria-current]');
    const [outer, inner] = [element.getBoundingClientRect(), row?.getBoundingClientRect()];
    if (!inner || inner.top < outer.top || inner.bottom > outer.bottom) latestScrollTo.current(currentIndex);
  }, [list, currentIndex]);
}
