import type { ComponentType } from 'react';
import { afterFirstResponses, whenIdle } from '#web/api/when-idle.ts';
import { layoutChunks } from './layout/layout-chunks.ts';
import { loadTakeParts } from '#web/features/recorder/lazy-parts.tsx';
import { backgroundChunk, lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { preloadDialog } from '#web/ui/overlays/dialog.tsx';
import { preloadToasts } from '#web/ui/overlays/toast.tsx';
import { second } from '#base/duration.ts';
import { sessionState } from '#web/api/session-state.ts';
import { waitFor } from '#base/store.ts';

const startRestoringFocus = async (): Promise<void> =>
  (await import('#web/ui/focus/restore-lost-focus.ts')).startRestoringFocus();

interface LazyPage<Props> {
  /** Loads the chunk; rendering the page afterwards does not suspend. */
  preload: () => Promise<unknown>;
  Component: ComponentType<Props>;
}

/** A page in its own chunk. Its rows and buttons can be removed as soon as it shows, and the focus with them. */
function lazyPage<Props extends object>(loadPage: () => Promise<ComponentType<Props>>): LazyPage<Props> {
  const chunk = lazyChunk(async () => {
    const [Page] = await Promise.all([loadPage(), startRestoringFocus()]);
    return { Page };
  });
  return { preload: chunk.load, Component: chunk.component(({ Page }) => Page) };
}

/** The pages other than the first screen. */
export const lazyPages = {
  library: lazyPage(async () => (await import('#web/app/pages/library-page.tsx')).LibraryPage),
  player: lazyPage(async () => (await import('#web/app/pages/player-page.tsx')).PlayerPage),
  shared: lazyPage(async () => (await import('#web/app/pages/shared-page.tsx')).SharedPage),
  trash: lazyPage(async () => (await import('#web/app/pages/trash-page.tsx')).TrashPage),
  settings: lazyPage(async () => (await import('#web/app/pages/settings-page.tsx')).SettingsPage),
  signIn: lazyPage(async () => (await import('#web/app/pages/account-pages.tsx')).SignInPage),
  signUp: lazyPage(async () => (await import('#web/app/pages/account-pages.tsx')).SignUpPage),
  resetPassword: lazyPage(async () => (await import('#web/app/pages/account-pages.tsx')).ResetPasswordPage),
  undoEmail: lazyPage(
    async () => (await import('#web/features/accounts/links/undo-email-card.tsx')).UndoEmailCard,
  ),
  notFound: lazyPage(async () => (await import('#web/app/pages/not-found-page.tsx')).NotFoundPage),
};

/**
 * Loads the chunk of the prerendered page; the first screen needs none. A failure is reported when the page
 * renders.
 */
export async function preloadPrerendered(): Promise<void> {
  const name = document.querySelector<HTMLElement>('[data-prerendered]')?.dataset.prerendered;
  await Object.entries(lazyPages)
    .find(([page]) => page === name)?.[1]
    .preload()
    .catch(() => undefined);
}

/**
 * The other chunks that the first screen does not need. Those that the user opens report a failure; the others load
 * once the server can be reached.
 */
export const lazyChunks = {
  lazyOverlays: backgroundChunk(() => import('./lazy-overlays.tsx')),
  takeBar: backgroundChunk(() => import('#web/features/recorder/screen/take-bar.tsx')),
  shortcutSheet: lazyChunk(() => import('#web/app/shortcuts/shortcut-sheet.tsx')),
};

/**
 * Preloads the chunks that the user is likely to open next, once the first screen has its data. Those that a take
 * may need come first, because the server may be unreachable by then. A failure is reported when the part is
 * opened.
 */
export function preloadOnIdle(): void {
  const { library, player, settings, trash } = lazyPages;
  const queue: (() => Promise<unknown>)[] = [
    startRestoringFocus,
    loadTakeParts,
    lazyChunks.takeBar.load,
    preloadToasts,
    library.preload,
    player.preload,
    preloadDialog,
    layoutChunks.languagePopover.load,
    lazyChunks.lazyOverlays.load,
    settings.preload,
    trash.preload,
    lazyChunks.shortcutSheet.load,
    // Last: the service worker then finds nearly all its files in the browser's cache.
    async () => (await layoutChunks.offline.load()).startOffline(),
  ];
  const loadAll = async () => {
    await afterFirstResponses();
    for (const load of queue) {
      // A chunk that fails is retried (prerender/load-chunk.ts). The others don't wait for it.
      const failed = new Promise((resolve) => {
        addEventListener('vite:preloadError', resolve, { once: true });
      });
      await Promise.race([load().catch(() => undefined), failed]);
      await whenIdle();
    }
  };
  void loadAll();
}

/** The responses have arrived already; reading them must not delay the page for longer. */
const maxPrefetchMs = second;

/** The user's data that a page shows first. The chunk of the page has loaded by then. */
const prefetches: Readonly<Record<string, () => Promise<void>>> = {
  library: async () => (await import('#web/app/pages/library-page.tsx')).prepareLibrary(),
  player: async () =>
    (await import('#web/app/pages/player-page.tsx')).prefetchRecording(
      location.pathname.split('/').at(-1) ?? '',
    ),
};

async function prefetch(name: string): Promise<void> {
  await waitFor([sessionState], () => sessionState.getSnapshot().status !== 'unknown');
  if (sessionState.getSnapshot().status === 'signed-in') await prefetches[name]?.();
}

/**
 * Prefetches the recordings that the prerendered page shows already (prerender/fill-picture.ts), so that they
 * do not vanish when the app renders.
 */
export async function prefetchPrerendered(): Promise<void> {
  const { prerendered, filled } = document.querySelector<HTMLElement>('[data-prerendered]')?.dataset ?? {};
  if (prerendered === undefined || filled === undefined) return;
  await Promise.race([
    prefetch(prerendered).catch(() => undefined),
    new Promise((resolve) => {
      setTimeout(resolve, maxPrefetchMs);
    }),
  ]);
}
