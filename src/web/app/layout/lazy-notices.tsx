import { Suspense } from 'react';
import { recorder, useTake } from '#web/features/recorder/recorder.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { isInProgress, needsThisPage, takeOf } from '#web/features/recorder/take/take.ts';
import { whenIdle } from '#web/api/when-idle.ts';
import { ErrorBoundary } from '#web/app/error-boundary.tsx';
import { lazyChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { layoutChunks } from './layout-chunks.ts';

/** Not needed for the first screen. */
const offline = lazyChunk(async () => {
  await whenIdle();
  return layoutChunks.offline.load();
});
const ConnectionStatus = offline.component((chunk) => chunk.ConnectionStatus);
const PageNotices = offline.component((chunk) => chunk.PageNotices);
const NewVersionNotice = offline.component((chunk) => chunk.NewVersionNotice);

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
  const isRecording = take.status === 'asking' || isInProgress(take);
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <PageNotices isRecording={isRecording} uploading={takeOf(take)?.condition ?? null} />
      </Suspense>
    </ErrorBoundary>
  );
}

export function LazyNewVersionNotice() {
  const isBusy = needsThisPage(useStore(recorder.everyTake));
  return (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <NewVersionNotice isBusy={isBusy} />
      </Suspense>
    </ErrorBoundary>
  );
}
