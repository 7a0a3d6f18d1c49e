import { useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';
import { arrive } from './page-arrival.ts';

/**
 * Rendered last on every page. Restores the scroll position and moves the focus to the heading once the page
 * has mounted.
 */
export function PageMountedEffect() {
  const pathname = usePathname();
  useEffect(() => arrive(pathname), [pathname]);
  return null;
}
