import { readJson, writeText } from '#device/site-data/text-store.ts';
import { replayEarlyPress } from '#web/app/prerender/early-press.ts';
import { useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';

const storageKey = 'scroll';

/** The scroll position of each history entry, by the browser's key for it. */
const positions = new Map<string, number>();
let lastPathname: string | null = null;
let isReturning = false;

const entryKey = (): string | null =>
  typeof navigation === 'undefined' ? null : (navigation.currentEntry?.key ?? null);

function readPositions(): void {
  const stored = readJson('sessionStorage', storageKey);
  // Storage is unavailable or damaged, so pages open at their top.
  if (!Array.isArray(stored)) return;
  for (const entry of stored) {
    if (Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number')
      positions.set(entry[0], entry[1]);
  }
}

function writePositions(): void {
  writeText('sessionStorage', storageKey, JSON.stringify([...positions].slice(-50)));
}

/** Starts recording the scroll position of each page. Call once per page load. */
export function startScrollRestoration(): void {
  if (entryKey() === null) return;
  history.scrollRestoration = 'manual';
  readPositions();
  addEventListener(
    'scroll',
    () => {
      const key = entryKey();
      if (key !== null) positions.set(key, scrollY);
    },
    { passive: true },
  );
  addEventListener('popstate', () => {
    isReturning = true;
  });
  addEventListener('pagehide', writePositions);
}

/**
 * Moves the focus to the heading of a new page, so that it is read out and Tab continues from there. An open
 * dialog keeps the focus.
 */
function focusHeading(): void {
  if (document.activeElement?.closest('[role=dialog], [role=alertdialog]')) return;
  const target =
    document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector<HTMLElement>('main');
  target?.focus({ preventScroll: true });
}

/**
 * Restores the scroll position of a page, repeatedly while its content grows, until the user scrolls.
 * @returns stops that
 */
function restore(topPx: number): () => void {
  const settle = new AbortController();
  const main = document.querySelector('main');
  const observer = new ResizeObserver(() => {
    scrollTo(0, topPx);
    if (Math.abs(scrollY - topPx) < 2) stop();
  });
  const stop = () => {
    observer.disconnect();
    settle.abort();
  };
  for (const type of ['wheel', 'touchstart', 'keydown', 'pointerdown'])
    addEventListener(type, stop, { passive: true, signal: settle.signal });
  if (main) observer.observe(main);
  return stop;
}

/** Sets focus and scroll position as a page load would. */
function handlePageMounted(pathname: string): (() => void) | undefined {
  const isFirst = lastPathname === null;
  if (lastPathname === pathname) return undefined;
  lastPathname = pathname;
  const left = positions.get(entryKey() ?? '');
  const wasReturning = isReturning;
  isReturning = false;
  if (isFirst) replayEarlyPress();
  else focusHeading();
  if ((wasReturning || isFirst) && left !== undefined) return restore(left);
  if (!isFirst) scrollTo(0, 0);
  return undefined;
}

/**
 * Rendered last on every page. Restores the scroll position and moves the focus to the heading once the page
 * has mounted.
 */
export function PageMountedEffect() {
  const pathname = usePathname();
  useEffect(() => handlePageMounted(pathname), [pathname]);
  return null;
}
