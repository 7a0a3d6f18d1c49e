import { Suspense } from 'react';
import { useDeviceTakes } from '#web/recordings/state/use-device-takes.ts';
import { RecorderScreen } from '#web/features/recorder/screen/recorder-screen.tsx';
import { backgroundChunk } from '#web/ui/lazy/lazy-chunk.tsx';
import { localOverviews } from './local-overviews.ts';

/** The list below the Record button, which no take needs. */
const LazyRecentRecordings = backgroundChunk(
  () => import('#web/features/library/screen/recent-recordings.tsx'),
).component((chunk) => chunk.RecentRecordings);

/** The first screen: the recorder, and below it the newest recordings. */
export function RecorderPage() {
  return (
    <RecorderScreen>
      <Suspense fallback={null}>
        <LazyRecentRecordings localTakes={useDeviceTakes()} overviews={localOverviews} />
      </Suspense>
    </RecorderScreen>
  );
}
