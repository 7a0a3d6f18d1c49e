import { Suspense } from 'react';
import { useDeviceTakes } from '#web/recordings/state/use-device-takes.ts';
import { RecorderScreen } from '#web/features/recorder/screen/recorder-screen.tsx';
import { LazyRecentRecordings } from '#web/app/lazy.ts';
import { localOverviews } from './local-overviews.ts';

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
