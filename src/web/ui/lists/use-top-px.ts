import { useLayoutEffect, useState, type RefObject } from 'react';

/** The distance of an element from the top of the page, in pixels. Updated when the content above it changes. */
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
    // A notice that appears is a new sibling, and its height changes the page's.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return topPx;
}
