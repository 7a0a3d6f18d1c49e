/** A page that took longer came over a slow line: it is 16 kB. */
const slowPageMs = 300;

/** Whether the page itself arrived so slowly that seconds would pass until a whole file can be played. */
export function isSlowLine(): boolean {
  const [page] = performance.getEntriesByType('navigation');
  if (!(page instanceof PerformanceNavigationTiming)) return false;
  // 0 as long as the page is arriving.
  const arrivedMs = page.responseEnd || performance.now();
  return arrivedMs - page.requestStart > slowPageMs;
}
