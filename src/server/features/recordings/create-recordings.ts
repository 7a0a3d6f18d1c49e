import type { Route } from '../../http/route.ts';
import type { JobHandler } from '../../jobs/job-queue.ts';
import { createFinishRecording, finishRecordingJob } from './finish-recording.ts';
import { housekeepingJobs } from './housekeeping-jobs.ts';
import { mediaRoutes } from './media-routes.ts';
import { createOggSegmentReader } from './ogg-segment.ts';
import { createRecordingView, type RecordingView } from './recording-view.ts';
import { recordingsRoutes } from './recordings-routes.ts';
import { createRecordingsService, type RecordingsDeps } from './recordings-service.ts';

/** What the recordings feature offers to the rest of the server. */
export interface Recordings {
  routes: Route[];
  jobs: JobHandler[];
  view: RecordingView;
}

/** Wires the recordings feature. */
export function createRecordings(deps: RecordingsDeps): Recordings {
  const { database, blobs, uploads } = deps;
  const { storedSegments } = uploads;
  const measure = createOggSegmentReader(blobs);
  const view = createRecordingView({ storedSegments, measure });
  const finish = createFinishRecording({ ...deps, view });
  return {
    routes: [
      ...recordingsRoutes({ database, recordings: createRecordingsService({ ...deps, view }), finish, view }),
      ...mediaRoutes({ database, blobs, storedSegments, measure }),
    ],
    jobs: [finishRecordingJob({ ...deps, measure }), ...housekeepingJobs(deps)],
    view,
  };
}
