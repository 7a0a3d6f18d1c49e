import { whenAnswered, whenIdle } from '#web/api/when-idle.ts';
import { loadTakeParts } from '#web/features/recorder/lazy-parts.tsx';
import { preloadDialog } from '#web/ui/overlays/dialog.tsx';
import { preloadToasts } from '#web/ui/overlays/toast.tsx';
import { lazyComponent } from './lazy-component.tsx';
import { second } from '#base/duration.ts';
import { sessionState } from '#web/api/session-state.ts';
import { waitFor } from '#base/store.ts';

/** The pages beside the first screen, each in a chunk of its own. */
export const lazyPages = {
  library: lazyComponent(async () => (await import('#web/app/pages/library-page.tsx')).LibraryPage),
  player: lazyComponent(async () => (await import('#web/app/pages/player-page.tsx')).PlayerPage),
  trash: lazyComponent(async () => (await import('#web/app/pages/trash-page.tsx')).TrashPage),
  settings: lazyComponent(async () => (await import('#web/app/pages/settings-page.tsx')).SettingsPage),
  signIn: lazyComponent(async () => (await import('#web/app/pages/account-pages.tsx')).SignInPage),
  signUp: lazyComponent(async () => (await import('#web/app/pages/account-pages.tsx')).SignUpPage),
  resetPassword: lazyComponent(
    async () => (await import('#web/app/pages/account-pages.tsx')).ResetPasswordPage,
  ),
  undoEmail: lazyComponent(
    async () => (await import('#web/features/accounts/links/undo-email-card.tsx')).UndoEmailCard,
  ),
  notFound: lazyComponent(async () => (await import('#web/app/pages/not-found-page.tsx')).NotFoundPage),
};

/** Fetches the chunk of the prerendered page; the first screen needs none. Showing the page reports a failure. */
export async function preloadPrerendered(): Promise<void> {
  const name = document.querySelector<HTMLElement>('[data-stand-in]')?.dataset.standIn;
  await Object.entries(lazyPages)
    .find(([page]) => page === name)?.[1]
    .preload()
    .catch(() => undefined);
}

/** What the recorder page shows below the Record button; a take needs none of it. */
export const { Component: RecentRecordings } = lazyComponent(
  async () => (await import('#web/features/library/screen/recent-recordings.tsx')).RecentRecordings,
);

/** The other chunks that the first screen does without. */
export const lazyChunks = {
  lazyOverlays: () => import('./lazy-overlays.tsx'),
  languagePopover: () => import('#web/app/layout/language-popover.tsx'),
  takeBar: () => import('#web/features/recorder/screen/take-bar.tsx'),
  shortcutSheet: () => import('#web/app/shortcuts/shortcut-sheet.tsx'),
  offline: () => import('#web/offline/start-offline.ts'),
  errorMessages: () => import('#web/api/error-messages.ts'),
};

/**
 * Fetches what the user is likely to open next, once the first screen has its data. What a take may need comes
 * first: the server may be gone by then. Opening a part reports a failure.
 */
export function preloadOnIdle(): void {
  const { library, player, settings, trash } = lazyPages;
  const queue: (() => Promise<unknown>)[] = [
    async () => (await import('#web/ui/focus/restore-lost-focus.ts')).startRestoringFocus(),
    loadTakeParts,
    lazyChunks.takeBar,
    preloadToasts,
    library.preload,
    player.preload,
    preloadDialog,
    lazyChunks.languagePopover,
    lazyChunks.lazyOverlays,
    settings.preload,
    trash.preload,
    lazyChunks.shortcutSheet,
    // Last: the service worker then finds nearly all its files in the browser's cache.
    async () => (await lazyChunks.offline()).startOffline(),
  ];
  const loadAll = async () => {
    await whenAnswered();
    for (const load of queue) {
      await load().catch(() => undefined);
      await whenIdle();
    }
  };
  void loadAll();
}

/** The responses are there already; reading them must not delay the page for longer. */
const longestPrefetchMs = second;

/** The user's data that a page shows first; the chunk of the page is there by then. */
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
  const { standIn, filled } = document.querySelector<HTMLElement>('[data-stand-in]')?.dataset ?? {};
  if (standIn === undefined || filled === undefined) return;
  await Promise.race([
    prefetch(standIn).catch(() => undefined),
    new Promise((resolve) => {
      setTimeout(resolve, longestPrefetchMs);
    }),
  ]);
}
