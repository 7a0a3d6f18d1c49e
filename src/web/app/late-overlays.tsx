import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { sendPendingStars } from '#web/recordings/favourites/stars.ts';
import { AccountOverlays } from '#web/features/accounts/overlays/account-overlays.tsx';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isRunning } from '#web/features/recorder/take/take.ts';
import { useAccountToasts } from './account/use-account-toasts.ts';
import { ErrorBoundary } from './error-boundary.tsx';

const ImportLate = lazy(async () => ({
  default: (await import('#web/features/imports/screen/import-overlays.tsx')).ImportLate,
}));
const MiniPlayer = lazy(async () => ({
  default: (await import('#web/features/player/controls/mini-player.tsx')).MiniPlayer,
}));

/**
 * What the account asks and tells over any screen, what plays on, and what is imported; the first screen
 * comes up without them.
 */
export function LateOverlays() {
  const [pathname] = useLocation();
  const take = useTake();
  useAccountToasts();
  useEffect(sendPendingStars, []);
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
          <ImportLate isRecorder={pathname === '/' || isRunning(take)} />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
