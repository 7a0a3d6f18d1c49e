import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Config } from './config.ts';
import { createBackups, type Backups, type BackupsDeps } from './features/backups/create-backups.ts';
import { createRecordingAccess } from './features/access/recording-access.ts';
import { createAccountImport } from './features/account-import/create-account-import.ts';
import { createAccounts, type AccountsDeps } from './features/accounts/create-accounts.ts';
import { RememberedAdmins } from './features/accounts/sessions/remembered-admins.ts';
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
import { RunningTakes } from './features/maintenance/running-takes.ts';
import { passagesRoutes } from './features/passages/passages-routes.ts';
import { createOwnedRecordings } from './features/recordings/owned-recordings.ts';
import { createRecordings } from './features/recordings/create-recordings.ts';
import { createAccountShares } from './features/shares/account-shares.ts';
import { requestLiveSegment } from '#server/features/recordings/remux/live-segments.ts';
import { createShares, type Shares } from './features/shares/create-shares.ts';
import { noListeningFiles, type ListeningFiles } from './features/shares/page/listening-files.ts';
import { recordEvent } from './features/accounts/audit-log.ts';
import { createUploads } from './features/uploads/create-uploads.ts';
import { createSignUpQuota } from './features/usage/sign-up-quota.ts';
import { createUsage } from './features/usage/create-usage.ts';
import { WebBuilds } from './features/web-builds/web-builds.ts';
import { createServerStatus } from './features/maintenance/status/create-server-status.ts';
import type { NodeHeartbeat } from './features/maintenance/status/node-heartbeat.ts';
import { createVerification, verificationSchedules } from './features/maintenance/create-verification.ts';
import type { HttpApp } from './http/app.ts';
import { ProxyWatch } from './http/edge/proxy-watch.ts';
import type { KeyedAnswers } from './http/pipeline/keyed-requests.ts';
import { OpenRequests } from './http/open-requests.ts';
import type { Identify } from './http/principal.ts';
import { mountReference } from './http/reference/mount-reference.ts';
import type { Route } from './http/route.ts';
import { createFailedJobs } from './jobs/failed-jobs.ts';
import type { JobHandler, JobQueue } from './jobs/job-queue.ts';
import type { Mailer } from './mail/mailer.ts';
import { installationPlaceOf } from './start/installation-place.ts';
import { backupNameOf } from './storage/backups/backup-place.ts';
import type { BlobStore } from './storage/blobs/blob-store.ts';
import { parseStorageUrl } from './storage/blobs/storage-url.ts';
import { createDiskReserve, outsideReserve, type ReserveStatus } from './storage/blobs/disk-reserve.ts';
import type { Database } from './storage/database/database.ts';

/**
 * Parts that a caller replaces. The running server replaces the hub by one that other servers share; tests sign users
 * in without a form and raise the usual limits.
 */
export interface ComposeOverrides extends Pick<
  AccountsDeps,
  'throttleLimits' | 'hashCost' | 'providerCallsPerTenMinutes' | 'fetch'
> {
  /** Identifies the session of a cookie; defaults to the accounts feature. */
  identifySession?: Identify['session'];
  /** Receives every live event and every session's end; defaults to a hub of this process alone. */
  hub?: LiveHub;
}

export interface ComposeDeps {
  config: Config;
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  queue: JobQueue;
  /** Encrypts secrets in the database. */
  secretKey: Uint8Array;
  /** The code that the first account needs; null if only this machine can reach the installation. */
  setUpCode: string | null;
  /** Sends e-mail; null if none is configured. */
  mailer: Mailer | null;
  version: string;
  /** Computes a hash of this code, which distinguishes nodes of one version. */
  build: () => Promise<string>;
  /** Opens the folder of scheduled backups. */
  openBackupTarget: BackupsDeps['openTarget'];
  isDraining: () => boolean;
  /** The script and the style sheet of the listening page; without a build, none. */
  listeningFiles?: ListeningFiles;
  /** How many responses listeners of links may have open together, so that connections remain for running takes. */
  maxShareStreams?: number;
  /** Called for every stored stream that no longer matches the hash of its receipt. */
  onDamage: (damage: { recordingId: string; uploadId: string; verdict: string }) => void;
  /** Called each time the free space crosses the disk reserve, in either direction. */
  onReserveCrossed: (status: ReserveStatus) => void;
  overrides?: ComposeOverrides;
}

/** The composed features, as the HTTP application, the job runner and shutdown use them. */
export interface Composed {
  routes: Route[];
  identify: Identify;
  jobs: JobHandler[];
  schedules: readonly { kind: string; everyMs: number }[];
  metrics: Metrics;
  /** The open long responses of sessions and other rights. */
  openRequests: OpenRequests;
  /** Ends open responses and streams in this process when another process ends their session. */
  sessionWatch: SessionWatch;
  /** Ends open responses of links when the link ends. */
  linkWatch: Shares['watch'];
  /** Counts openings of links; stopped after the last request. */
  openCounts: Shares['openCounts'];
  /** The files of the web app's builds, this server's and others. */
  webBuilds: WebBuilds;
  /** Writes that this node runs; removes its row when it stops. */
  heartbeat: NodeHeartbeat;
  keyedAnswers: KeyedAnswers;
  /** Checks that scheduled backups may be made. */
  checkBackupPlace: Backups['checkPlace'];
  proxyWatch: ProxyWatch;
  mount: (app: HttpApp) => void;
  /** Queues the work of every start and starts watching the disk. */
  start(): Promise<void>;
  /** Ends event streams, pending announcements and periodic checks. */
  closeStreams(): void;
}

/** Builds the features and connects them; each gets only the dependencies it uses. */
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
  build,
  openBackupTarget,
  isDraining,
  listeningFiles = noListeningFiles,
  maxShareStreams = Infinity,
  onDamage,
  onReserveCrossed,
  overrides = {},
}: ComposeDeps): Composed {
  const { identifySession, hub: replacedHub, ...accountsOverrides } = overrides;
  const { hub, announce, routes: liveRoutes } = createLive(replacedHub);
  const openRequests = new OpenRequests();
  const admins = new RememberedAdmins();
  const endSession = (sessionId: string): void => {
    admins.forget(sessionId);
    hub.endSession(sessionId);
    openRequests.end('session', sessionId);
  };
  const openSessionIds = (): string[] => [
    ...new Set([...hub.sessionIds(), ...openRequests.idsOf('session')]),
  ];
  const takes = new RunningTakes();
  const metrics = createMetrics({ openStreams: () => hub.clientCount, takes });
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
  const access = createRecordingAccess(database);
  const uploads = createUploads({
    access,
    database,
    blobs,
    clock,
    admission: usage.admission,
    onAppended({ ownerId, recordingId, isTake, sizeBytes }) {
      metrics.appended(sizeBytes);
      if (isTake) takes.acknowledged(recordingId);
      announce.recordingGrew(ownerId, recordingId);
    },
    onSealed(upload) {
      takes.ended(upload.recordingId);
      return requestLiveSegment({ database, queue, clock }, upload);
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
    signUpQuota: createSignUpQuota(blobs, config),
    setUpCode,
    providers: config.providers,
    recordings: createOwnedRecordings({ database, clock }),
    shares: createAccountShares(clock),
    takes: uploads.takesOfSessions,
    onSessionEnded: endSession,
    isClientNetwork: (ip) => proxyWatch.isClientNetwork(ip),
    onProfileChanged: (userId) => hub.publish(userId, { type: 'profile-changed' }),
    ...accountsOverrides,
  });
  const recordings = createRecordings(
    { access, database, blobs, clock, queue, uploads, announce },
    {
      admitImport: usage.admitImport,
      reserve,
      ffmpeg: { wanted: config.ffmpegPath, searchPath: config.searchPath },
      onRemuxed: (outcome) => metrics.remuxed(outcome),
    },
  );
  const library = createLibrary({ access, database, clock, queue, announce, recordings });
  const exports = createExports({
    access,
    database,
    blobs,
    clock,
    queue,
    reserve,
    recordings,
    storedSegments: uploads.storedSegments,
  });
  const shares = createShares({
    access,
    database,
    blobs: outsideReserve(blobs, reserve),
    clock,
    queue,
    secrets: accounts.secrets,
    announce,
    passwords: accounts.passwords,
    recordings,
    ...exports.windows,
    recordEvent,
    isClientNetwork: (ip) => proxyWatch.isClientNetwork(ip),
    publicUrl: config.publicUrl,
    shareUrl: config.shareUrl,
    files: listeningFiles,
    maxStreams: maxShareStreams,
  });
  const accountImport = createAccountImport({
    access,
    database,
    clock,
    uploads,
    usage,
    announce,
    isViewQuery: library.isViewQuery,
  });
  const annotations = { access, database, clock, announce, admitText: usage.admitText };
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
  const backups = createBackups(
    {
      database,
      blobs,
      clock,
      version,
      secretKey,
      place: installationPlaceOf(config),
      openTarget: openBackupTarget,
    },
    config.backups,
  );
  const serverStatus = createServerStatus({
    database,
    blobs,
    clock,
    node: {
      id: randomUUID(),
      host: hostname(),
      place: `${hostname()}:${resolve(config.dataDir)}`,
      role: config.role,
      version,
      backup_every_ms: config.backups?.everyMs ?? null,
    },
    build,
    dataDir: config.dataDir,
    isDraining,
    bucket: parseStorageUrl(config.storageUrl) === null ? null : backupNameOf(config.storageUrl),
    reserve,
    backups,
    verification,
    proxyFinding: () => proxyWatch.finding,
  });
  const session = admins.remembering(identifySession ?? accounts.identifySession);
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
      ...passagesRoutes({ access, database, clock, announce, listenedUntilMs: shares.listenedUntilMs }),
      ...liveRoutes,
      ...exports.routes,
      ...accountImport.routes,
      ...shares.routes,
      ...installationRoutes({ proxyFinding: () => proxyWatch.finding, reserve, failedJobs, backups }),
      ...serverStatus.routes,
    ],
    identify: {
      session,
      sessionInOutage: admins.outliving(session),
      uploadCapability: (token) => uploads.identifyUploadCapability(token),
      share: shares.identify,
    },
    jobs: [
      ...accounts.jobs,
      ...recordings.jobs,
      ...library.jobs,
      ...verification.jobs,
      ...backups.jobs,
      ...exports.jobs,
      ...shares.jobs,
    ],
    schedules: [
      ...accounts.schedules,
      ...recordings.schedules,
      ...verificationSchedules,
      ...backups.schedules,
      ...exportSchedules,
      ...shares.schedules,
    ],
    linkWatch: shares.watch,
    openCounts: shares.openCounts,
    metrics,
    openRequests,
    sessionWatch: new SessionWatch({ database, openSessionIds, onSessionEnded: endSession }),
    webBuilds: new WebBuilds({ database, blobs: outsideReserve(blobs, reserve), clock }),
    heartbeat: serverStatus.heartbeat,
    keyedAnswers: createKeyedAnswers({ database, clock, secrets: accounts.secrets }),
    checkBackupPlace: () => backups.checkPlace(),
    proxyWatch,
    mount(app) {
      accounts.mount(app);
      mountOperations(app, {
        database,
        blobs,
        blobKind: parseStorageUrl(config.storageUrl) === null ? 'disk' : 's3',
        clock,
        metrics,
        version,
        isDraining,
        hasMail: mailer !== null,
        damagedCount: () => verification.damagedCount(),
        verifiedAtMs: () => verification.completedAtMs(),
        queue: serverStatus.queue,
        nodeCount: serverStatus.nodeCount,
        metricsToken: config.metricsToken,
        publicUrl: config.publicUrl,
        reserve,
        backups,
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
      shares.closeStreams();
    },
  };
}
