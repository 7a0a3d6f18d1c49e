import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { compose, type Composed } from './compose.ts';
import type { Config } from './config.ts';
import { hasNoUser } from './features/accounts/users-store.ts';
import { readListeningFiles } from './features/shares/page/listening-files.ts';
import type { HttpApp, HttpLogger } from './http/app.ts';
import { mountWebApp } from './http/pages/web-app.ts';
import { createJobQueue } from './jobs/database-job-queue.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { createLogger } from './logs/logger.ts';
import { outageFields } from './logs/outage-counter.ts';
import type { Installation } from './start/installation.ts';
import { openTargetToWrite } from './start/backup-targets.ts';
import { listen } from './start/listen.ts';
import { loadDeferred } from './start/load-deferred.ts';
import { openHub } from './start/open-hub.ts';
import { openStores } from './start/open-stores.ts';
import { withDatabase } from './start/stores.ts';
import { databaseTime } from './storage/database/database-time.ts';
import type { ReserveStatus } from './storage/blobs/disk-reserve.ts';
import { createServerApp } from './create-server-app.ts';
import { ownBuild, ownVersion } from './version.ts';

/** How long requests in flight may delay a shutdown. */
const shutdownTimeoutMs = 10 * second;

export interface RunningServer {
  /** The address for users. */
  url: string;
  /** The code that the first account needs; null if an account exists or no code is needed. */
  setUpCode: string | null;
  /**
   * Answers for `DRAIN_MS` while `/readyz` is 503, so that a proxy sends new requests elsewhere, then finishes running
   * work and closes everything. Nothing that was acknowledged is lost.
   * @param options.drains false to close at once; also ends a running drain
   */
  stop(options?: { drains: boolean }): Promise<void>;
}

export interface ServerOptions {
  clock?: Clock;
  logger?: HttpLogger;
  /** Folder of the built web app. */
  webDirectory?: string;
}

/** Returns a function that logs why some work fails: each outage once, then how often. */
const reporter =
  (logger: HttpLogger, work: string, message: string) =>
  (error: unknown): void => {
    logger.warn(outageFields(error, work), message);
  };

/** Mounts the web app and stores its files for other servers; without a build, the API runs alone. */
async function mountPages(app: HttpApp, directory: string, webBuilds: Composed['webBuilds']): Promise<void> {
  const isBuilt = await access(join(directory, 'index.html')).then(
    () => true,
    () => false,
  );
  if (isBuilt) {
    await mountWebApp(app, directory, webBuilds);
    webBuilds.start(
      directory,
      reporter(app.log, 'web app', 'the web app could not be stored for other servers; retrying'),
    );
  } else app.log.warn({ directory }, 'the web app has not been built; only the API is served');
}

/** Logs each crossing once, so that an alarm on this line fires once. */
function logReserve(logger: HttpLogger, { freeBytes, reserveBytes, isTouched }: ReserveStatus): void {
  if (isTouched)
    logger.warn(
      { freeBytes, reserveBytes },
      'the disk is nearly full; until space is free again only running takes are stored',
    );
  else logger.warn({ freeBytes, reserveBytes }, 'the disk has free space again; everything is stored');
}

/** Logs the start and the end of an outage, so that an alarm on the first line fires once. */
function logObjectStore(logger: HttpLogger, error: unknown): void {
  if (error === null) logger.warn({}, 'bytes are moved to the object store again');
  else
    logger.warn(
      { err: error },
      'bytes cannot be moved to the object store; they wait in the database, and recordings continue',
    );
}

async function closeApp(app: HttpApp, closeStreams: () => void): Promise<void> {
  const closed = app.close();
  closeStreams();
  const timeout = setTimeout(() => app.server.closeAllConnections(), shutdownTimeoutMs);
  await closed;
  clearTimeout(timeout);
}

function warnOfLowLimit(
  logger: HttpLogger,
  { isLow, fileLimit, connections }: Installation['descriptors'],
): void {
  if (isLow)
    logger.warn(
      { fileLimit, maxConnections: connections },
      'the limit on open files is low; raise it (ulimit -n, LimitNOFILE) to serve more people at once',
    );
}

/** Logs at the first start of a restored copy that its scheduled backups are refused. */
async function warnOfBackupPlace(
  { checkBackupPlace }: Pick<Composed, 'checkBackupPlace'>,
  logger: HttpLogger,
): Promise<void> {
  const problem = await checkBackupPlace();
  if (problem !== null) logger.warn({ problem }, 'scheduled backups wait for "earshot backup --adopt"');
}

/** Loads what the start did not need. Later than the first requests; servers of tests have often ended before. */
function loadRest(logger: HttpLogger, isStopped: () => boolean): void {
  loadDeferred({ firstPauseMs: 10 * second, pauseMs: second / 4, isStopped }).then(
    (areLoaded) => {
      if (areLoaded) logger.info({}, 'everything is loaded; the files of the server may change');
    },
    (error: unknown) =>
      logger.warn({ err: error }, 'a part of the server cannot be loaded; it is tried again when needed'),
  );
}

/** Starts what every server does beside its requests: its heartbeat, closing what ended sessions and links have open. */
function startBackgroundWork(
  features: Pick<Composed, 'heartbeat' | 'sessionWatch' | 'linkWatch' | 'checkBackupPlace'>,
  logger: HttpLogger,
  isStopped: () => boolean,
): void {
  const { heartbeat, sessionWatch, linkWatch } = features;
  heartbeat.start(reporter(logger, 'heartbeat', 'the heartbeat of this server cannot be written; retrying'));
  sessionWatch.start(reporter(logger, 'sessions', 'the sessions cannot be read'));
  linkWatch.start(reporter(logger, 'links', 'the links cannot be read'));
  void warnOfBackupPlace(features, logger);
  loadRest(logger, isStopped);
}

/**
 * Opens the stores, composes the features and listens. Rejects if a store cannot be opened or the port is taken.
 */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? createLogger(config.logLevel);
  const {
    database,
    blobs,
    secretKey,
    setUpCode,
    mailer,
    descriptors,
    close: closeStores,
  } = await openStores(config, {
    onObjectsChanged: (error) => {
      logObjectStore(logger, error);
    },
  });
  warnOfLowLimit(logger, descriptors);
  const webDirectory = options.webDirectory ?? join(import.meta.dirname, '..', '..', 'dist', 'web');
  let draining = false;
  const queue = createJobQueue({ clock, time: databaseTime(database, clock) });
  const live = await openHub(config, {
    onError: reporter(logger, 'events', 'the connection for events of other servers was lost; reconnecting'),
  });
  const features = compose({
    config,
    database,
    blobs,
    clock,
    queue,
    secretKey,
    setUpCode,
    mailer,
    version: await ownVersion(),
    build: ownBuild,
    openBackupTarget: (to) => openTargetToWrite(config, to),
    isDraining: () => draining,
    overrides: { hub: live.hub },
    listeningFiles: await readListeningFiles(webDirectory),
    // Running takes keep the other half.
    maxShareStreams: Math.floor(descriptors.connections / 2),
    onDamage: (damage) => logger.error(damage, 'a stored file does not match the hash in its receipt'),
    onReserveCrossed: (status) => {
      logReserve(logger, status);
    },
  });
  const runner = new JobRunner({
    database,
    queue,
    clock,
    handlers: features.jobs,
    onEnded({ kind, outcome, error }) {
      features.metrics.jobEnded(kind, outcome);
      if (error === undefined) logger.info({ kind, outcome }, 'job');
      else logger.warn({ err: error, kind, outcome }, 'job');
    },
    onError: (error) => logger.error(outageFields(error, 'jobs'), 'the job table cannot be read'),
  });
  for (const { kind, everyMs } of features.schedules) runner.schedule(kind, everyMs);
  const isWorker = config.role === 'worker';
  // A worker answers health checks and scrapers only.
  const app = createServerApp(isWorker ? { ...features, routes: [] } : features, {
    config,
    logger,
    connectionLimits: { max: descriptors.connections, maxPerAddress: descriptors.connectionsPerAddress },
    plugins: isWorker ? [] : [(scope) => mountPages(scope, webDirectory, features.webBuilds)],
  });
  // A proxy then opens its next connection to another server.
  app.addHook('onRequest', async (_request, reply) => {
    if (draining) reply.header('connection', 'close');
  });
  try {
    const url = await listen(app, config);
    await withDatabase(config, () => features.start());
    if (config.role !== 'web') runner.start();
    live.start();
    startBackgroundWork(features, logger, () => draining);
    const isEmpty = await hasNoUser(database.queries);
    const drainEnds = new AbortController();
    let stopping: Promise<void> | null = null;
    const close = async (): Promise<void> => {
      try {
        void features.heartbeat.beat().catch(() => undefined);
        await delay(config.drainMs, undefined, { signal: drainEnds.signal }).catch(() => undefined);
        await runner.stop();
        await Promise.all([features.sessionWatch.stop(), features.linkWatch.stop()]);
        await features.webBuilds.stop();
        await closeApp(app, () => features.closeStreams());
        await live.stop();
        await Promise.all([features.openCounts.stop(), features.heartbeat.stop()]);
      } finally {
        await closeStores();
      }
    };
    return {
      url,
      setUpCode: isEmpty ? setUpCode : null,
      stop({ drains } = { drains: true }) {
        draining = true;
        if (!drains) drainEnds.abort();
        stopping ??= close();
        return stopping;
      },
    };
  } catch (error) {
    await features.webBuilds.stop();
    await closeStores();
    throw error;
  }
}
