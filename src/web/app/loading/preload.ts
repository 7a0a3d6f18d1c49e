import { whenAnswered, whenIdle } from '#web/api/when-idle.ts';
import { loadTakeParts } from '#web/features/recorder/lazy-parts.tsx';
import { preloadDialog } from '#web/ui/overlays/dialog.tsx';
import { preloadToasts } from '#web/ui/overlays/toast.tsx';
import { deferred } from './deferred.tsx';

/** The pages that come after the first screen, each in a chunk of its own. */
export const deferredPages = {
  library: deferred(async () => (await import('#web/app/pages/library-page.tsx')).LibraryPage),
  player: deferred(async () => (await import('#web/app/pages/player-page.tsx')).PlayerPage),
  trash: deferred(async () => (await import('#web/app/pages/trash-page.tsx')).TrashPage),
  settings: deferred(async () => (await import('#web/app/pages/settings-page.tsx')).SettingsPage),
  signIn: deferred(async () => (await import('#web/app/pages/sign-in-page.tsx')).SignInPage),
  signUp: deferred(async () => (await import('#web/app/pages/sign-up-page.tsx')).SignUpPage),
  resetPassword: deferred(
    async () => (await import('#web/app/pages/reset-password-page.tsx')).ResetPasswordPage,
  ),
  undoEmail: deferred(
    async () => (await import('#web/features/accounts/links/undo-email-card.tsx')).UndoEmailCard,
  ),
  notFound: deferred(async () => (await import('#web/app/pages/not-found-page.tsx')).NotFoundPage),
};

/**
 * Fetches the page that the picture on the screen is of; the first screen needs nothing fetched. A failure is
 * met again when it is shown.
 */
export async function preloadPictured(): Promise<void> {
  const name = document.querySelector<HTMLElement>('[data-stand-in]')?.dataset.standIn;
  await Object.entries(deferredPages)
    .find(([page]) => page === name)?.[1]
    .preload()
    .catch(() => undefined);
}

/** The other parts that come later. */
export const preloads = {
  lateOverlays: () => import('#web/app/late-overlays.tsx'),
  languagePopover: () => import('#web/app/layout/language-popover.tsx'),
  takeBar: () => import('#web/features/recorder/screen/take-bar.tsx'),
  shortcutSheet: () => import('#web/app/shortcuts/shortcut-sheet.tsx'),
  offline: () => import('#web/offline/start-offline.ts'),
};

/** Fetches, once the first screen stands and has what it asked for, what a person is likely to open next; a failure is met again when it is opened.
 * What a take may need comes first: the server may be gone by then. */
export function preloadOnIdle(): void {
  const { library, player, settings, trash } = deferredPages;
  const queue: (() => Promise<unknown>)[] = [
    async () => (await import('#web/ui/focus/restore-lost-focus.ts')).startKeepingFocus(),
    loadTakeParts,
    preloads.takeBar,
    preloadToasts,
    library.preload,
    player.preload,
    preloadDialog,
    preloads.languagePopover,
    preloads.lateOverlays,
    settings.preload,
    trash.preload,
    preloads.shortcutSheet,
    // Last: the service worker then finds nearly all it keeps in the browser's own cache.
    async () => (await preloads.offline()).startOffline(),
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
