import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock, type Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { compose, type Composed } from './compose.ts';
import type { Config } from './config.ts';
import { createServerApp } from './create-server-app.ts';
import { hasNoUser } from './features/accounts/users-store.ts';
import type { Service } from './features/feature.ts';
import { readListeningFiles } from './features/shares/page/listening-files.ts';
import type { HttpApp, HttpLogger } from './http/app.ts';
import { createJobQueue, type WakingJobQueue } from './jobs/database-job-queue.ts';
import { JobRunner } from './jobs/job-runner.ts';
import { createLogger } from './logs/logger.ts';
import { outageFields } from './logs/outage-counter.ts';
import { openTargetToWrite } from './start/backup-targets.ts';
import { loadDeferred } from './start/load-deferred.ts';
import { logObjectStore, logReports, warnOfLowLimit } from './start/log-reports.ts';
import { openHub } from './start/open-hub.ts';
import { openStores, type OpenStores } from './start/open-stores.ts';
import { httpService } from './start/serve-http.ts';
import { Services } from './start/services.ts';
import { withDatabase } from './start/stores.ts';
import { transcriberOf } from './start/transcriber-of.ts';
import { databaseTime } from './storage/database/database-time.ts';
import { ownBuild, ownFolder, ownVersion } from './version.ts';

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

interface Start {
  config: Config;
  clock: Clock;
  logger: HttpLogger;
  webDirectory: string;
  /** Aborted when the server drains or its start has failed. */
  draining: AbortSignal;
}

/** Runs the jobs; none on a server of the role `web`. */
function jobService(
  { config, clock, logger }: Start,
  {
    database,
    queue,
    features,
  }: { database: OpenStores['database']; queue: WakingJobQueue; features: Composed },
): Service {
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
  return config.role === 'web' ? {} : runner;
}

/** Loads what the start did not need. Later than the first requests; servers of tests have often ended before. */
function loadRest({ logger, draining }: Start): void {
  loadDeferred({ firstPauseMs: 10 * second, pauseMs: second / 4, signal: draining }).then(
    () => logger.info({}, 'everything is loaded; the files of the server may change'),
    (error: unknown) => {
      if (!draining.aborted)
        logger.warn({ err: error }, 'a part of the server cannot be loaded; it is tried again when needed');
    },
  );
}

/** Creates the HTTP application. A worker answers health checks and scrapers only. */
function appOf(
  { config, logger, draining }: Start,
  features: Composed,
  { descriptors }: OpenStores,
): HttpApp {
  const app = createServerApp(config.role === 'worker' ? { ...features, routes: [] } : features, {
    config,
    logger,
    connectionLimits: { max: descriptors.connections, maxPerAddress: descriptors.connectionsPerAddress },
  });
  // A proxy then opens its next connection to another server.
  app.addHook('onRequest', async (_request, reply) => {
    if (draining.aborted) reply.header('connection', 'close');
  });
  return app;
}

/** Opens the stores, then starts the features, requests and jobs, in this order. */
async function startAll(start: Start, running: Services) {
  const { config, clock, logger, webDirectory, draining } = start;
  const reports = logReports(logger);
  const stores = await openStores(config, {
    onObjectsChanged: (error) => {
      logObjectStore(logger, error);
    },
  });
  await running.start({ stop: stores.close });
  warnOfLowLimit(logger, stores.descriptors);
  const { database, descriptors } = stores;
  const queue = createJobQueue({ clock, time: databaseTime(database, clock) });
  const live = await openHub(config, {
    onError: reports.failure('events', 'the connection for events of other servers was lost; reconnecting'),
  });
  const features = compose({
    ...stores,
    config,
    clock,
    queue,
    transcriber: transcriberOf(config),
    version: await ownVersion(),
    build: ownBuild,
    openBackupTarget: (to) => openTargetToWrite(config, to),
    isDraining: () => draining.aborted,
    overrides: { hub: live.hub },
    webDirectory: config.role === 'worker' ? null : webDirectory,
    listeningFiles: await readListeningFiles(webDirectory),
    // Running takes keep the other half.
    maxShareStreams: Math.floor(descriptors.connections / 2),
    reports,
  });
  let url = '';
  const http = httpService(appOf(start, features, stores), config, (listening) => {
    url = listening;
  });
  await withDatabase(config, () => running.start(live, ...features.services));
  await running.start(http, jobService(start, { database, queue, features }));
  loadRest(start);
  return { url, setUpCode: (await hasNoUser(database.queries)) ? stores.setUpCode : null, features };
}

/**
 * Starts the server.
 * @throws StartError if a store cannot be opened or the port is taken, after stopping everything that had started
 */
export async function startServer(config: Config, options: ServerOptions = {}): Promise<RunningServer> {
  const draining = new AbortController();
  const drainEnds = new AbortController();
  const running = new Services();
  const start: Start = {
    config,
    clock: options.clock ?? systemClock,
    logger: options.logger ?? createLogger(config.logLevel),
    webDirectory: options.webDirectory ?? join(ownFolder, 'dist', 'web'),
    draining: draining.signal,
  };
  try {
    const { url, setUpCode, features } = await startAll(start, running);
    const close = async (): Promise<void> => {
      features.beat().catch(() => undefined);
      await delay(config.drainMs, undefined, { signal: drainEnds.signal }).catch(() => undefined);
      await running.stop();
    };
    let stopping: Promise<void> | null = null;
    return {
      url,
      setUpCode,
      stop({ drains } = { drains: true }) {
        draining.abort();
        if (!drains) drainEnds.abort();
        stopping ??= close();
        return stopping;
      },
    };
  } catch (error) {
    draining.abort();
    // What failed first is what the operator must know.
    await running.stop().catch(() => undefined);
    throw error;
  }
}
