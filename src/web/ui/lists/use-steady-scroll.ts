import { useLayoutEffect, useRef } from 'react';
import type { Virtualizer } from '@tanstack/react-virtual';

interface SteadyScrollFacts {
  virtual: Virtualizer<Window, Element>;
  ids: readonly string[];
}

/**
 * Keeps the visible rows in place when rows are added or removed above them, by scrolling as much. At the top of
 * the page it shows the new rows.
 */
export function useSteadyScroll({ virtual, ids }: SteadyScrollFacts): void {
  const held = useRef<{ ids: readonly string[]; id: string; startPx: number } | null>(null);
  useLayoutEffect(() => {
    const before = held.current;
    const first = virtual.range?.startIndex ?? 0;
    const startOf = (index: number) => virtual.measurementsCache[index]?.start ?? 0;
    if (before && before.ids !== ids && scrollY > startOf(0)) {
      const now = ids.indexOf(before.id);
      const movedPx = now === -1 ? 0 : startOf(now) - before.startPx;
      if (movedPx !== 0) scrollBy(0, movedPx);
    }
    const id = ids[first];
    held.current = id === undefined ? null : { ids, id, startPx: startOf(first) };
  });
}
