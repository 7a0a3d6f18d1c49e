import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import { AccountOverlays } from '#web/features/accounts/overlays/account-overlays.tsx';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isRunning } from '#web/features/recorder/take/take.ts';
import { useAccountToasts } from './use-account-toasts.ts';
import { ErrorBoundary } from './error-boundary.tsx';

// Not in lazy.ts, which loads this file.
const ImportOverlays = lazy(async () => ({
  default: (await import('#web/features/imports/screen/import-overlays.tsx')).ImportOverlays,
}));
const MiniPlayer = lazy(async () => ({
  default: (await import('#web/features/player/controls/mini-player.tsx')).MiniPlayer,
}));

/** The account's dialogs and toasts, the mini player and the import tray. The first screen does not need them. */
export function LazyOverlays() {
  const [pathname] = useLocation();
  const take = useTake();
  useAccountToasts();
  return (
    <>
      <AccountOverlays />
      <ErrorBoundary fallback={null}>
        <Suspense>
          <MiniPlayer pathname={pathname} isRecording={take.status === 'recording'} />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null}>
        <Suspense>
          <ImportOverlays isRecorder={pathname === '/' || isRunning(take)} />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
