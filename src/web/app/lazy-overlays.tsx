import { Suspense } from 'react';
import { useLocation } from 'wouter';
import { AccountOverlays } from '#web/features/accounts/overlays/account-overlays.tsx';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isInProgress } from '#web/features/recorder/take/take.ts';
import { shareSheet } from '#web/features/sharing/signs/open-sheet.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { backgroundChunk, lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { OpenedPart } from '#web/ui/overlays/opened-part.tsx';
import { takeSharing } from '#web/features/recorder/screen/take-sharing.ts';
import { takeContinuing } from '#web/features/recorder/continue-take.ts';
import { ContinueDialog } from './continue-dialog.tsx';
import { continueAfterQuestion } from './continue-question.ts';
import { shareRunningTake } from './share-take.ts';
import { useOwnKeysToast } from './shortcuts/own-keys.ts';
import { useAccountToasts } from './use-account-toasts.ts';
import { ErrorBoundary } from './error-boundary.tsx';

// Not in lazy.ts, which loads this file.
const ImportOverlays = backgroundChunk(
  () => import('#web/features/imports/screen/import-overlays.tsx'),
).component((chunk) => chunk.ImportOverlays);
const MiniPlayer = backgroundChunk(() => import('#web/features/player/controls/mini-player.tsx')).component(
  (chunk) => chunk.MiniPlayer,
);
const ShareSheet = lazyChunk(() => import('#web/features/sharing/sheet/share-sheet.tsx')).component(
  (chunk) => chunk.ShareSheet,
);

takeSharing.set(shareRunningTake);
takeContinuing.set((take) => void continueAfterQuestion(take));

/** The account's dialogs and toasts, the mini player, the import tray and the sheet that shares. The first screen does not need them. */
export function LazyOverlays() {
  const [pathname] = useLocation();
  const take = useTake();
  const isSharing = useStore(shareSheet) !== null;
  useAccountToasts();
  useOwnKeysToast();
  return (
    <>
      <AccountOverlays />
      <ContinueDialog />
      <ErrorBoundary fallback={null}>
        <Suspense>
          <MiniPlayer
            pathname={pathname}
            isRecording={take.status === 'recording' || take.status === 'foreign'}
          />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary fallback={null}>
        <Suspense>
          <ImportOverlays isRecorder={pathname === '/' || isInProgress(take)} pathname={pathname} />
        </Suspense>
      </ErrorBoundary>
      {isSharing && (
        <OpenedPart onClose={() => shareSheet.set(null)}>
          <ShareSheet />
        </OpenedPart>
      )}
    </>
  );
}
