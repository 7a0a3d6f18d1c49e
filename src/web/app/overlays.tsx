import { Suspense, useEffect, useState } from 'react';
import { useSignInPrompt } from '#web/api/sign-in-prompt.ts';
import { useShortcuts } from '#web/shortcuts/use-shortcuts.ts';
import { Announcer } from '#web/ui/feedback/announcer.tsx';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { ToastRegion } from '#web/ui/overlays/toast.tsx';
import { TooltipLayer } from '#web/ui/overlays/tooltip-layer.tsx';
import { whenIdle } from '#web/api/when-idle.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { LazyNewVersionNotice } from './layout/lazy-notices.tsx';
import { shortcutSheet } from './shortcuts/shortcut-sheet-state.ts';
import { lazyChunks } from './lazy.ts';

const LazyOverlays = lazyChunks.lazyOverlays.component((chunk) => chunk.LazyOverlays);
const ShortcutSheet = lazyChunks.shortcutSheet.component((chunk) => chunk.ShortcutSheet);

/** Everything that can open over any screen. */
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
        <Suspense>{(isIdle || isSigningIn) && <LazyOverlays />}</Suspense>
      </ErrorBoundary>
      {isSheetOpen && (
        <OpenedPart onClose={shortcutSheet.close}>
          <ShortcutSheet onClose={shortcutSheet.close} />
        </OpenedPart>
      )}
      <LazyNewVersionNotice />
      <ToastRegion />
      <TooltipLayer />
      <Announcer />
    </>
  );
}
