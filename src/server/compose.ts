import type { Clock } from '#base/clock.ts';
import type { Config } from './config.ts';
import { createAccountImport } from './features/account-import/create-account-import.ts';
import { createAccounts, type AccountsDeps } from './features/accounts/create-accounts.ts';
import { SessionWatch } from './features/accounts/sessions/session-watch.ts';
import { labelsRoutes } from './features/annotations/labels.ts';
import { markersRoutes } from './features/annotations/markers.ts';
import { notesRoutes } from './features/annotations/notes.ts';
import { positionsRoutes } from './features/annotations/positions.ts';
import { createLibrary } from './features/library/create-library.ts';
import { createExports, exportSchedules } from './features/exports/create-exports.ts';
import { createLive } from './features/live/create-live.ts';
import type { LiveHub } from './features/live/live-hub.ts';
import { installationRoutes } from './features/maintenance/installation-routes.ts';
import { createKeyedAnswers } from './features/maintenance/keyed-answers.ts';
import { createMetrics, type Metrics } from './features/maintenance/metrics.ts';
import { mountOperations } from './features/maintenance/operations-routes.ts';
import { createOwnedRecordings } from './features/recordings/owned-recordings.ts';
import { createRecordings } from './features/recordings/create-recordings.ts';
import { createUploads } from './features/uploads/create-uploads.ts';
import { createUsage } from './features/usage/create-usage.ts';
import { createVerification, verificationSchedules } from './features/maintenance/create-verification.ts';
import type { HttpApp } from './http/app.ts';
import { ProxyWatch } from './http/edge/proxy-watch.ts';
import type { KeyedAnswers } from './http/pipeline/keyed-requests.ts';
import type { Identify } from './http/principal.ts';
import { mountReference } from './http/reference/mount-reference.ts';
import type { Route } from './http/route.ts';
import { SessionRequests } from './http/session-requests.ts';
import { createFailedJobs } from './jobs/failed-jobs.ts';
import type { JobHandler, JobQueue } from './jobs/job-queue.ts';
import type { Mailer } from './mail/mailer.ts';
import type { BlobStore } from './storage/blobs/blob-store.ts';
import { createDiskReserve, type ReserveStatus } from './storage/blobs/disk-reserve.ts';
import type { Database } from './storage/database/database.ts';

/**
 * Parts that a caller replaces. The running server replaces none; tests sign people in without a form and
 * exceed the usual limits.
 */
export interface ComposeOverrides extends Pick<
  AccountsDeps,
  'throttleLimits' | 'hashCost' | 'providerCallsPerTenMinutes' | 'fetch'
> {
  /** Identifies the session of a cookie; the accounts feature does when absent. */
  identifySession?: Identify['session'];
  /** Receives every live event and every session's end; a hub of this process when absent. */
  hub?: LiveHub;
}

export interface ComposeDeps {
  config: Config;
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  /** What secrets in the database are encrypted under. */
  secretKey: Uint8Array;
  /** What the first account has to bring; null where only this machine can reach the installation. */
  setUpCode: string | null;
  /** How mail leaves; null where none does. */
  mailer: Mailer | null;
  version: string;
  isDraining: () => boolean;
  /** Told of every stored stream that no longer has the hash of its receipt. */
  onDamage: (damage: { recordingId: string; uploadId: string; verdict: string }) => void;
  /** Told each time that the free space crosses the reserve of the disk, in either direction. */
  onReserveCrossed: (status: ReserveStatus) => void;
  overrides?: ComposeOverrides;
}

/** The features, joined: what the HTTP application, the job runner and shutdown need of them. */
export interface Composed {
  routes: Route[];
  identify: Identify;
  jobs: JobHandler[];
  schedules: readonly { kind: string; everyMs: number }[];
  metrics: Metrics;
  /** The long answers that are open in the name of sessions. */
  sessionRequests: SessionRequests;
  /** Ends what is open in this process in the name of sessions that another process ended. */
  sessionWatch: SessionWatch;
  keyedAnswers: KeyedAnswers;
  proxyWatch: ProxyWatch;
  mount: (app: HttpApp) => void;
  /** Puts aside what is to be done once at every start. */
  start(): Promise<void>;
  /** Ends event streams, what waits to be announced, and what is looked at from time to time. */
  closeStreams(): void;
}

/** Builds the features and joins them; each gets what it uses, and nothing else. */
export function compose({
  config,
  database,
  blobs,
  clock,
  queue,
  secretKey,
  setUpCode,
  mailer,
  version,
  isDraining,
  onDamage,
  onReserveCrossed,
  overrides = {},
}: ComposeDeps): Composed {
  const { identifySession, hub: replacedHub, ...accountsOverrides } = overrides;
  const { hub, announce, routes: liveRoutes } = createLive(replacedHub);
  const sessionRequests = new SessionRequests();
  const endSession = (sessionId: string): void => {
    hub.endSession(sessionId);
    sessionRequests.endSession(sessionId);
  };
  const openSessionIds = (): string[] => [...new Set([...hub.sessionIds(), ...sessionRequests.sessionIds()])];
  const metrics = createMetrics({ openStreams: () => hub.clientCount });
  const reserve = createDiskReserve({
    blobs,
    clock,
    reserveBytes: config.diskReserveBytes,
    onCrossed: onReserveCrossed,
  });
  const proxyWatch = new ProxyWatch(config);
  const failedJobs = createFailedJobs({
    database,
    clock,
    wake: () => {
      queue.wake();
    },
  });
  const usage = createUsage({ database, blobs, clock, reserve }, config.quotaBytes);
  const uploads = createUploads({
    database,
    blobs,
    clock,
    admission: usage.admission,
    onAppended({ ownerId, recordingId, sizeBytes }) {
      metrics.appended(sizeBytes);
      announce.recordingGrew(ownerId, recordingId);
    },
  });
  const accounts = createAccounts({
    database,
    clock,
    queue,
    secretKey,
    mailer,
    publicUrl: config.publicUrl,
    signUp: config.signUp,
    setUpCode,
    providers: config.providers,
    recordings: createOwnedRecordings({ database, clock }),
    takes: uploads.takesOfSessions,
    onSessionEnded: endSession,
    isClientNetwork: (ip) => proxyWatch.isClientNetwork(ip),
    onProfileChanged: (userId) => hub.publish(userId, { type: 'profile-changed' }),
    ...accountsOverrides,
  });
  const recordings = createRecordings(
    { database, blobs, clock, queue, uploads, announce },
    {
      admitImport: usage.admitImport,
      reserve,
      ffmpeg: { wanted: config.ffmpegPath, searchPath: config.searchPath },
      onRemuxed: (outcome) => metrics.remuxed(outcome),
    },
  );
  const library = createLibrary({ database, clock, queue, announce, recordings });
  const exports = createExports({
    database,
    blobs,
    clock,
    queue,
    reserve,
    recordings,
    storedSegments: uploads.storedSegments,
  });
  const accountImport = createAccountImport({
    database,
    clock,
    uploads,
    usage,
    announce,
    isViewQuery: library.isViewQuery,
  });
  const annotations = { database, clock, announce, admitText: usage.admitText };
  const verification = createVerification({
    database,
    blobs,
    clock,
    announce,
    onVerified({ stream, verdict }) {
      metrics.verified(stream.size_bytes);
      if (verdict !== 'intact') onDamage({ recordingId: stream.recording_id, uploadId: stream.id, verdict });
    },
  });
  return {
    routes: [
      ...accounts.routes,
      ...recordings.routes,
      ...library.routes,
      ...uploads.routes,
      ...usage.routes,
      ...markersRoutes(annotations),
      ...notesRoutes(annotations),
      ...labelsRoutes(annotations),
      ...positionsRoutes(annotations),
      ...liveRoutes,
      ...exports.routes,
      ...accountImport.routes,
      ...installationRoutes({ proxyFinding: () => proxyWatch.finding, reserve, failedJobs }),
    ],
    identify: {
      session: identifySession ?? accounts.identifySession,
      uploadCapability: (token) => uploads.identifyUploadCapability(token),
    },
    jobs: [...accounts.jobs, ...recordings.jobs, ...library.jobs, ...verification.jobs, ...exports.jobs],
    schedules: [...accounts.schedules, ...recordings.schedules, ...verificationSchedules, ...exportSchedules],
    metrics,
    sessionRequests,
    sessionWatch: new SessionWatch({ database, openSessionIds, onSessionEnded: endSession }),
    keyedAnswers: createKeyedAnswers({ database, clock }),
    proxyWatch,
    mount(app) {
      accounts.mount(app);
      mountOperations(app, {
        database,
        blobs,
        clock,
        metrics,
        version,
        isDraining,
        hasMail: mailer !== null,
        damagedCount: () => verification.damagedCount(),
        metricsToken: config.metricsToken,
        publicUrl: config.publicUrl,
        reserve,
      });
      mountReference(app, { version, publicUrl: config.publicUrl });
    },
    start() {
      reserve.start();
      return library.start();
    },
    closeStreams() {
      reserve.stop();
      announce.stop();
      library.stop();
      hub.closeAll();
    },
  };
}
