import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Config } from './config.ts';
import { createRecordingAccess } from './features/access/recording-access.ts';
import { createBackups, type BackupsDeps } from './features/backups/create-backups.ts';
import { createAnnotations } from './features/annotations/create-annotations.ts';
import { createAccountImport } from './features/account-import/create-account-import.ts';
import { createAccounts, type AccountsDeps } from './features/accounts/create-accounts.ts';
import { RememberedAdmins } from './features/accounts/sessions/remembered-admins.ts';
import { SessionWatch } from './features/accounts/sessions/session-watch.ts';
import { createLibrary } from './features/library/create-library.ts';
import { createExports } from './features/exports/create-exports.ts';
import type { Feature, Service } from './features/feature.ts';
import { createMaintenance } from './features/maintenance/create-maintenance.ts';
import { createLive } from './features/live/create-live.ts';
import type { LiveHub } from './features/live/live-hub.ts';
import { createKeyedAnswers } from './features/maintenance/keyed-answers.ts';
import { createMetrics, type Metrics } from './features/maintenance/metrics.ts';
import { RunningTakes } from './features/maintenance/running-takes.ts';
import { passagesRoutes } from './features/passages/passages-routes.ts';
import { createOwnedRecordings } from './features/recordings/owned-recordings.ts';
import { createRecordings } from './features/recordings/create-recordings.ts';
import { createAccountShares } from './features/shares/account-shares.ts';
import { requestLiveSegment } from '#server/features/recordings/remux/live-segments.ts';
import { createShares } from './features/shares/create-shares.ts';
import { noListeningFiles, type ListeningFiles } from './features/shares/page/listening-files.ts';
import { recordEvent } from './features/accounts/audit-log.ts';
import { createSpeechModels, type SpeechModelsDeps } from './features/speech-models/create-speech-models.ts';
import { createTranscripts } from './features/transcripts/create-transcripts.ts';
import { createUploads } from './features/uploads/create-uploads.ts';
import { createSignUpQuota } from './features/usage/sign-up-quota.ts';
import { createUsage } from './features/usage/create-usage.ts';
import { createWebApp } from './features/web-builds/create-web-app.ts';
import type { HttpApp } from './http/app.ts';
import { ProxyWatch } from './http/edge/proxy-watch.ts';
import type { KeyedAnswers } from './http/pipeline/keyed-requests.ts';
import { OpenRequests } from './http/open-requests.ts';
import type { Identify } from './http/principal.ts';
import { mountReference } from './http/reference/mount-reference.ts';
import type { Route } from './http/route.ts';
import type { JobHandler, JobQueue } from './jobs/job-queue.ts';
import type { Schedule } from './jobs/job-schedule.ts';
import type { Mailer } from './mail/mailer.ts';
import { installationPlaceOf } from './installation-place.ts';
import type { BlobStore } from './storage/blobs/blob-store.ts';
import { backupNameOf } from './storage/backups/backup-place.ts';
import { parseStorageUrl } from './storage/blobs/storage-url.ts';
import {
  createDiskReserve,
  type DiskReserve,
  outsideReserve,
  type ReserveStatus,
} from './storage/blobs/disk-reserve.ts';
import { fileSystemSpace } from './storage/blobs/file-system-space.ts';
import type { Database } from './storage/database/database.ts';
import type { Transcriber } from './transcribers/transcriber.ts';

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

/** Receives what operators must know. */
export interface Reports {
  /** Returns what is called each time that some work fails. The work is tried again. */
  failure: (work: string, message: string) => (error: unknown) => void;
  /** Called for every stored stream that no longer matches the hash of its receipt. */
  damage: (damage: { recordingId: string; uploadId: string; verdict: string }) => void;
  /** Called each time the free space crosses the disk reserve, in either direction. */
  reserveCrossed: (status: ReserveStatus) => void;
  /** Called at the first start of a restored copy, whose scheduled backups are refused. */
  backupsRejected: (problem: string) => void;
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
  /** Transcribes recordings; null if transcripts are switched off. */
  transcriber: Transcriber | null;
  version: string;
  /** Computes a hash of this code, which distinguishes nodes of one version. */
  build: () => Promise<string>;
  /** Opens the folder of scheduled backups. */
  openBackupTarget: BackupsDeps['openTarget'];
  isDraining: () => boolean;
  /** Contains the built web app; null if this process serves no pages. */
  webDirectory: string | null;
  /** The script and the style sheet of the listening page; without a build, none. */
  listeningFiles?: ListeningFiles;
  /** How many responses listeners of links may have open together, so that connections remain for running takes. */
  maxShareStreams?: number;
  reports: Reports;
  overrides?: ComposeOverrides;
}

/** The composed features, as the HTTP application, the job runner and shutdown use them. */
export interface Composed {
  routes: readonly Route[];
  identify: Identify;
  jobs: readonly JobHandler[];
  schedules: readonly Schedule[];
  /** In the order of their start, before the first request and the first job. */
  services: readonly Service[];
  metrics: Metrics;
  /** The open long responses of sessions and other rights. */
  openRequests: OpenRequests;
  keyedAnswers: KeyedAnswers;
  proxyWatch: ProxyWatch;
  /** Mounts what is not part of the contract. */
  mount: (app: HttpApp) => Promise<void>;
  /** Writes at once that this node runs, or drains. */
  beat: () => Promise<void>;
  /** Two of the services, for tests that start no others. */
  library: Service;
  links: Service & { checkLinks: () => Promise<void> };
}

/** Where speech models are stored, and what limits them. An object store needs space for copies on this machine. */
function modelPlaceOf(
  { storageUrl, dataDir }: Config,
  reserve: DiskReserve,
): Pick<SpeechModelsDeps, 'copiesFolder' | 'space'> {
  if (parseStorageUrl(storageUrl) === null) return { copiesFolder: null, space: () => reserve.status() };
  return {
    copiesFolder: join(dataDir, 'models'),
    space: async () => ({ freeBytes: (await fileSystemSpace(dataDir)).freeBytes, reserveBytes: 0 }),
  };
}

/** Builds the features and connects them. Each declares the dependencies that it uses. */
export function compose({
  config,
  database,
  blobs,
  clock,
  queue,
  secretKey,
  setUpCode,
  mailer,
  transcriber,
  version,
  build,
  openBackupTarget,
  isDraining,
  webDirectory,
  listeningFiles = noListeningFiles,
  maxShareStreams = Infinity,
  reports,
  overrides = {},
}: ComposeDeps): Composed {
  const { identifySession, hub: replacedHub, ...accountsOverrides } = overrides;
  const live = createLive(replacedHub);
  const { hub, announce } = live;
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
    onCrossed: (status) => reports.reserveCrossed(status),
  });
  const proxyWatch = new ProxyWatch(config);
  const usage = createUsage({ database, blobs, clock, reserve }, config.quotaBytes);
  const access = createRecordingAccess(database);
  /** What most features use. */
  const shared = { access, database, blobs, clock, queue, announce };
  const isClientNetwork = (ip: string): boolean => proxyWatch.isClientNetwork(ip);
  const uploads = createUploads({
    ...shared,
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
    ...shared,
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
    isClientNetwork,
    onProfileChanged: (userId) => hub.publish(userId, { type: 'profile-changed' }),
    ...accountsOverrides,
  });
  const recordings = createRecordings(
    { ...shared, uploads },
    {
      admitImport: usage.admitImport,
      reserve,
      ffmpeg: { wanted: config.ffmpegPath, searchPath: config.searchPath },
      onRemuxed: (outcome) => metrics.remuxed(outcome),
    },
  );
  const library = createLibrary({ ...shared, recordings });
  const { storedSegments } = uploads;
  const exports = createExports({ ...shared, reserve, recordings, storedSegments });
  const shares = createShares({
    ...shared,
    blobs: outsideReserve(blobs, reserve),
    secrets: accounts.secrets,
    passwords: accounts.passwords,
    recordings,
    ...exports.windows,
    recordEvent,
    isClientNetwork,
    publicUrl: config.publicUrl,
    shareUrl: config.shareUrl,
    files: listeningFiles,
    maxStreams: maxShareStreams,
    onError: reports.failure('links', 'the links cannot be read'),
  });
  const { isViewQuery } = library;
  const accountImport = createAccountImport({ ...shared, uploads, usage, isViewQuery });
  const backups = createBackups(
    {
      ...shared,
      version,
      secretKey,
      place: installationPlaceOf(config),
      openTarget: openBackupTarget,
      onRejected: (problem) => reports.backupsRejected(problem),
    },
    config.backups,
  );
  const maintenance = createMaintenance({
    ...shared,
    metrics,
    metricsToken: config.metricsToken,
    publicUrl: config.publicUrl,
    dataDir: config.dataDir,
    bucket: parseStorageUrl(config.storageUrl) === null ? null : backupNameOf(config.storageUrl),
    reserve,
    backups,
    version,
    build,
    node: {
      id: randomUUID(),
      host: hostname(),
      place: `${hostname()}:${resolve(config.dataDir)}`,
      role: config.role,
      version,
      backup_every_ms: config.backups?.everyMs ?? null,
    },
    isDraining,
    hasMail: mailer !== null,
    proxyFinding: () => proxyWatch.finding,
    onDamage: (damage) => reports.damage(damage),
    onHeartbeatError: reports.failure(
      'heartbeat',
      'the heartbeat of this server cannot be written; retrying',
    ),
  });
  const sessionWatch = new SessionWatch({ database, openSessionIds, onSessionEnded: endSession });
  const speechModels = createSpeechModels({
    ...shared,
    blobs: outsideReserve(blobs, reserve),
    ...modelPlaceOf(config, reserve),
    transcriber,
    modelsUrl: config.modelsUrl,
  });
  const webApp = createWebApp(webDirectory, {
    ...shared,
    blobs: outsideReserve(blobs, reserve),
    onError: reports.failure('web app', 'the web app could not be stored for other servers; retrying'),
  });
  const features: readonly Feature[] = [
    // Other nodes see this one until everything else has stopped.
    maintenance,
    reserve,
    live,
    accounts,
    {
      start: () => sessionWatch.start(reports.failure('sessions', 'the sessions cannot be read')),
      stop: () => sessionWatch.stop(),
    },
    recordings,
    library,
    uploads,
    usage,
    createAnnotations({ ...shared, admitText: usage.admitText }),
    { routes: passagesRoutes({ ...shared, listenedUntilMs: shares.listenedUntilMs }) },
    exports,
    accountImport,
    shares,
    speechModels,
    createTranscripts({
      ...shared,
      recordings,
      transcriber,
      models: speechModels,
      onTranscribed: (soundMs, outcome) => metrics.transcribed(soundMs, outcome),
    }),
    backups,
    { stop: () => transcriber?.close() },
    { mount: (app) => mountReference(app, { version, publicUrl: config.publicUrl }) },
    // Its page is at every other URL.
    webApp,
  ];
  const session = admins.remembering(identifySession ?? accounts.identifySession);
  return {
    routes: features.flatMap(({ routes = [] }) => routes),
    identify: {
      session,
      sessionInOutage: admins.outliving(session),
      uploadCapability: (token) => uploads.identifyUploadCapability(token),
      share: shares.identify,
    },
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    schedules: features.flatMap(({ schedules = [] }) => schedules),
    services: features,
    async mount(app) {
      for (const feature of features) await feature.mount?.(app);
    },
    metrics,
    openRequests,
    keyedAnswers: createKeyedAnswers({ database, clock, secrets: accounts.secrets }),
    proxyWatch,
    beat: () => maintenance.beat(),
    library,
    links: shares,
  };
}
