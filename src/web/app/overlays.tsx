import { lazy, Suspense } from 'react';
import { useSignInPrompt } from '#web/api/sign-in-prompt.ts';
import { useShortcuts } from '#web/ui/hooks/use-shortcuts.ts';
import { Announcer } from '#web/ui/feedback/announcer.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { ToastRegion } from '#web/ui/overlays/toast.tsx';
import { TooltipLayer } from '#web/ui/overlays/tooltip-layer.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { shortcutSheet } from './layout/shortcut-sheet-state.ts';
import { preloads } from './loading/preload.ts';
import { useAccountNews } from './use-account-news.ts';

const SignInDialog = lazy(async () => ({ default: (await preloads.signInDialog()).SignInDialog }));
const ShortcutSheet = lazy(async () => ({ default: (await preloads.shortcutSheet()).ShortcutSheet }));

/** What can open over any screen. */
export function Overlays() {
  const prompt = useSignInPrompt();
  const isSheetOpen = useStore(shortcutSheet);
  useAccountNews();
  useShortcuts({ '?': shortcutSheet.open });
  return (
    <>
      <ErrorBoundary fallback={null}>
        <Suspense>
          {prompt.isOpen && <SignInDialog />}
          {isSheetOpen && <ShortcutSheet onClose={shortcutSheet.close} />}
        </Suspense>
      </ErrorBoundary>
      <ToastRegion />
      <TooltipLayer />
      <Announcer />
    </>
  );
}
