/** The parts that come after the first screen, each in a chunk of its own. */
export const preloads = {
  library: () => import('./pages/library-page.tsx'),
  player: () => import('./pages/player-page.tsx'),
  trash: () => import('./pages/trash-page.tsx'),
  settings: () => import('./pages/settings-page.tsx'),
  signIn: () => import('./pages/sign-in-page.tsx'),
  signUp: () => import('./pages/sign-up-page.tsx'),
  notFound: () => import('./pages/not-found-page.tsx'),
  signInDialog: () => import('#web/features/accounts/sign-in-dialog.tsx'),
  languagePopover: () => import('./layout/language-popover.tsx'),
  takeBar: () => import('#web/features/recording/take-bar.tsx'),
  shortcutSheet: () => import('./layout/shortcut-sheet.tsx'),
};

const onIdle = (work: () => void): void => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 1000);
};

/** Fetches, once the first screen stands, what a person is likely to open next; a failure is met again when it is opened. */
export function preloadOnIdle(): void {
  const queue = [preloads.takeBar, preloads.library, preloads.player, preloads.languagePopover, preloads.signInDialog, preloads.settings, preloads.trash, preloads.shortcutSheet];
  const loadNext = async () => {
    await queue.shift()?.().catch(() => undefined);
    if (queue.length > 0) onIdle(() => void loadNext());
  };
  onIdle(() => void loadNext());
}
