import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react';
import { useTake } from '#web/features/recorder/recorder.ts';
import { isRunning, takeOf } from '#web/features/recorder/take/take.ts';
import { whenIdle } from '#web/api/when-idle.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { preloads } from '#web/app/loading/preload.ts';
import { needsThisPage } from '#web/app/account/needs-this-page.ts';

type Offline = Awaited<ReturnType<typeof preloads.offline>>;

/** A part that nobody misses while the first screen comes up, nor where it cannot be fetched. */
function late<Props extends object>(
  pick: (offline: Offline) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await whenIdle();
    return { default: pick(await preloads.offline()) };
  });
}

const ConnectionStatus = late((offline) => offline.ConnectionStatus);
const PageNotices = late((offline) => offline.PageNotices);
const NewVersionNotice = late((offline) => offline.NewVersionNotice);

export function LateConnectionStatus() {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <ConnectionStatus />
      </Suspense>
    </ErrorBoundary>
  );
}

export function LatePageNotices() {
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

export function LateNewVersionNotice() {
  const isBusy = needsThisPage(useTake());
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <NewVersionNotice isBusy={isBusy} />
      </Suspense>
    </ErrorBoundary>
  );
}
