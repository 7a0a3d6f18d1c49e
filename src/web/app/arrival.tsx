import { useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { arrive } from './page-arrival.ts';

/** Stands at the end of a page: when it is on the screen, the page is. */
export function Arrival() {
  const pathname = usePathname();
  useEffect(() => arrive(pathname), [pathname]);
  return null;
}
