import type { Clock } from '#base/clock.ts';
import type { Config } from './config.ts';
import { createAccounts } from './features/accounts/create-accounts.ts';
import { createChangeAnnouncer } from './features/live/change-announcer.ts';
import { createLiveHub } from './features/live/live-hub.ts';
import { liveRoutes } from './features/live/live-routes.ts';
import { markersRoutes } from './features/markers/markers-routes.ts';
import { createMetrics, type Metrics } from './features/operations/metrics.ts';
import { mountOperations } from './features/operations/operations-routes.ts';
import { createRecordings } from './features/recordings/create-recordings.ts';
import { recordingSchedules } from './features/recordings/housekeeping-jobs.ts';
import { createUploads } from './features/uploads/create-uploads.ts';
import type { HttpApp } from './http/app.ts';
import type { Identify } from './http/principal.ts';
import { mountReference } from './http/reference/mount-reference.ts';
import type { Route } from './http/route.ts';
import { sessionCookieName } from './http/session-cookie.ts';
import type { JobHandler, JobQueue } from './jobs/job-queue.ts';
import type { BlobStore } from './storage/blobs/blob-store.ts';
import type { Database } from './storage/database/database.ts';

export interface ComposeDeps {
  config: Config;
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  version: string;
  isDraining: () => boolean;
}

/** The features, joined: what the HTTP application, the job runner and shutdown need of them. */
export interface Composed {
  routes: Route[];
  identify: Identify;
  jobs: JobHandler[];
  schedules: readonly { kind: string; everyMs: number }[];
  metrics: Metrics;
  mount: (app: HttpApp) => void;
  /** Ends event streams and what waits to be announced. */
  closeStreams(): void;
}

/** Builds the features and joins them; each gets what it uses, and nothing else. */
export function compose({ config, database, blobs, clock, queue, version, isDraining }: ComposeDeps): Composed {
  const hub = createLiveHub();
  const announce = createChangeAnnouncer(hub);
  const metrics = createMetrics({ openStreams: () => hub.clientCount });
  const accounts = createAccounts({ database, clock, publicUrl: config.publicUrl, signUp: config.signUp, onSessionEnded: (sessionId) => hub.endSession(sessionId), onProfileChanged: (userId) => hub.publish(userId, { type: 'profile-changed' }) });
  const uploads = createUploads({
    database, blobs, clock,
    onAppended({ ownerId, recordingId, sizeBytes }) {
      metrics.appended(sizeBytes);
      announce.recordingGrew(ownerId, recordingId);
    },
  });
  const recordings = createRecordings({ database, blobs, clock, queue, uploads, announce });
  return {
    routes: [...accounts.routes, ...recordings.routes, ...uploads.routes, ...markersRoutes({ database, clock, announce }), ...liveRoutes(hub)],
    identify: { session: (request) => accounts.identifySession(request), uploadCapability: (token) => uploads.identifyUploadCapability(token) },
    jobs: recordings.jobs, schedules: recordingSchedules, metrics,
    mount(app) {
      mountOperations(app, { database, blobs, metrics, metricsToken: config.metricsToken, version, isDraining });
      mountReference(app, { version, cookieName: sessionCookieName(config.publicUrl) });
    },
    closeStreams() {
      announce.stop();
      hub.closeAll();
    },
  };
}
