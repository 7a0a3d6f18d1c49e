import { useLayoutEffect, useState, type RefObject } from 'react';

/**
 * How far below the top of the page an element begins, in pixels; kept right when what stands above it comes
 * or goes.
 */
export function useTopPx(element: RefObject<HTMLElement | null>): number {
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current) setTopPx(Math.round(element.current.getBoundingClientRect().top + scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const beside of element.current?.parentElement?.children ?? [])
      if (beside !== element.current) observer.observe(beside);
    // A notice that appears is a new neighbour, and its height moves the page's own.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return topPx;
}
