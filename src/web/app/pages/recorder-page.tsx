import { RecentRecordings } from '#web/features/library/recent-recordings.tsx';
import { useLocalTakes } from '#web/features/recording/local-takes.ts';
import { RecorderScreen } from '#web/features/recording/recorder-screen.tsx';

/** The first screen: the recorder, and below it the newest recordings. */
export function RecorderPage() {
  return <RecorderScreen><RecentRecordings localTakes={useLocalTakes()} /></RecorderScreen>;
}
