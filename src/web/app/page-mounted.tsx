import { readJson, writeText } from '#device/site-data/text-store.ts';
import { replayEarlyPress } from '#web/app/prerender/early-press.ts';
import { useEffect } from 'react';
import { usePathname } from 'wouter/use-browser-location';

const storageKey = 'scroll';

/**
 * How far each entry of the history was scrolled, by the key the browser gives it; null where it gives none.
 */
const positions = new Map<string, number>();
let lastPathname: string | null = null;
let isReturning = false;

const entryKey = (): string | null =>
  typeof navigation === 'undefined' ? null : (navigation.currentEntry?.key ?? null);

function readPositions(): void {
  const stored = readJson('sessionStorage', storageKey);
  // Refused or damaged: pages open at their top.
  if (!Array.isArray(stored)) return;
  for (const entry of stored) {
    if (Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'number')
      positions.set(entry[0], entry[1]);
  }
}

function writePositions(): void {
  writeText('sessionStorage', storageKey, JSON.stringify([...positions].slice(-50)));
}

/** Begins to remember where each page was left. Once per page load. */
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
 * The heading of a new page takes the focus: it is read out, and Tab goes on from there. An open dialog keeps
 * it.
 */
function focusHeading(): void {
  if (document.activeElement?.closest('[role=dialog], [role=alertdialog]')) return;
  const target =
    document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector<HTMLElement>('main');
  target?.focus({ preventScroll: true });
}

/**
 * Scrolls back to where the page was left, again while its content is still growing, until the person
 * scrolls.
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

/** A page has come to the screen: focus and scrolling as a page load would leave them. */
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
