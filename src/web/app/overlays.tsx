import { lazy, Suspense, useEffect, useState } from 'react';
import { useSignInPrompt } from '#web/api/sign-in-prompt.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { Announcer } from '#web/ui/feedback/announcer.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { ToastRegion } from '#web/ui/overlays/toast.tsx';
import { TooltipLayer } from '#web/ui/overlays/tooltip-layer.tsx';
import { whenIdle } from '#web/api/when-idle.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { LateNewVersionNotice } from './layout/late-parts.tsx';
import { shortcutSheet } from './shortcuts/shortcut-sheet-state.ts';
import { preloads } from './loading/preload.ts';

const LateOverlays = lazy(async () => ({ default: (await preloads.lateOverlays()).LateOverlays }));
const ShortcutSheet = lazy(async () => ({ default: (await preloads.shortcutSheet()).ShortcutSheet }));

/** What can open over any screen. */
export function Overlays() {
  const isSigningIn = useSignInPrompt().shown !== 'nothing';
  const isSheetOpen = useStore(shortcutSheet);
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    void whenIdle().then(() => setIdle(true));
  }, []);
  useShortcuts({ 'everywhere.help': shortcutSheet.open });
  return (
    <>
      <ErrorBoundary fallback={null}>
        <Suspense>{(isIdle || isSigningIn) && <LateOverlays />}</Suspense>
        <Suspense>{isSheetOpen && <ShortcutSheet onClose={shortcutSheet.close} />}</Suspense>
      </ErrorBoundary>
      <LateNewVersionNotice />
      <ToastRegion />
      <TooltipLayer />
      <Announcer />
    </>
  );
}
