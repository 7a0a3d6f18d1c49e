import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isRunning, needsThisPage, takeOf } from '#web/features/recorder/take/take.ts';
import { whenIdle } from '#web/api/when-idle.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { lazyChunks } from '#web/app/lazy.ts';

type Offline = Awaited<ReturnType<typeof lazyChunks.offline>>;

/** A component that is not needed for the first screen, nor if its chunk does not load. */
function lazyOffline<Props extends object>(
  pick: (offline: Offline) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await whenIdle();
    return { default: pick(await lazyChunks.offline()) };
  });
}

const ConnectionStatus = lazyOffline((offline) => offline.ConnectionStatus);
const PageNotices = lazyOffline((offline) => offline.PageNotices);
const NewVersionNotice = lazyOffline((offline) => offline.NewVersionNotice);

export function LazyConnectionStatus() {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <ConnectionStatus />
      </Suspense>
    </ErrorBoundary>
  );
}

export function LazyPageNotices() {
  const take = useTake();
  const isRecording = take.status === 'asking' || isRunning(take);
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <PageNotices isRecording={isRecording} uploading={takeOf(take)?.condition ?? null} />
      </Suspense>
    </ErrorBoundary>
  );
}

export function LazyNewVersionNotice() {
  const isBusy = needsThisPage(useTake());
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <NewVersionNotice isBusy={isBusy} />
      </Suspense>
    </ErrorBoundary>
  );
}
