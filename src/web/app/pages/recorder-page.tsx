import { Suspense } from 'react';
import { useDeviceTakes } from '#web/recordings/state/use-device-takes.ts';
import { RecorderScreen } from '#web/features/recorder/screen/recorder-screen.tsx';
import { deferred } from '#web/app/loading/deferred.tsx';
import { localOverviews } from './local-overviews.ts';

/** Comes after the Record button: the list and what fetches it are not needed to begin a take. */
const { Component: RecentRecordings } = deferred(
  async () => (await import('#web/features/library/screen/recent-recordings.tsx')).RecentRecordings,
);

/** The first screen: the recorder, and below it the newest recordings. */
export function RecorderPage() {
  return (
    <RecorderScreen>
      <Suspense fallback={null}>
        <RecentRecordings localTakes={useDeviceTakes()} overviews={localOverviews} />
      </Suspense>
    </RecorderScreen>
  );
}
