import { useSyncExternalStore } from 'react';

/** Whether a media query matches, now and after every change. */
export function useMediaQuery(query: string): boolean {
  const subscribe = (listener: () => void) => {
    const list = matchMedia(query);
    list.addEventListener('change', listener);
    return () => {
      list.removeEventListener('change', listener);
    };
  };
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
