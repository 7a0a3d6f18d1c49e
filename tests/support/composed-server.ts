import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import type { Clock } from '#base/clock.ts';
import type { LiveEvent } from '#contract/events-api.ts';
import { compose, type ComposeDeps, type ComposeOverrides, type Reports } from '#server/compose.ts';
import { readConfig, type Config } from '#server/config.ts';
import { createLiveHub, type LiveHub } from '#server/features/live/live-hub.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { JobRunner } from '#server/jobs/job-runner.ts';
import { Services } from '#server/start/services.ts';
import { createServerApp } from '#server/create-server-app.ts';
import type { HttpLogger } from '#server/http/app.ts';
import { expectNoTraces, GivenTokens, recordingMailer, recordTokens } from './given-tokens.ts';

export const publicUrl = 'http://localhost';

/** A cheap hash cost for tests that sign in hundreds of times. */
export const cheapHash = { memoryCost: 256, timeCost: 1, parallelism: 1 };

export interface ComposedServer {
  app: FastifyInstance;
  /** The secrets that this server gave out. When the test ends, none of them may be in the database. */
  tokens: GivenTokens;
  hub: LiveHub;
  /** Live events in order, with the user to whom each was published. */
  events: (LiveEvent & { userId: string })[];
  /** Ids of sessions whose end was published. */
  ended: string[];
  /** Runs every job that is due. */
  runJobs: () => Promise<number>;
  /** Starts to update the search index. */
  start: () => Promise<void>;
  /** Ends and updates what listeners have open, as the server does twice a second. */
  checkLinks: () => Promise<void>;
}

type Given = Pick<ComposeDeps, 'database' | 'blobs'> &
  Partial<Pick<ComposeDeps, 'secretKey' | 'setUpCode' | 'mailer' | 'transcriber'>> & {
    clock: Clock;
    /** Receives what the server logs. */
    logger?: HttpLogger;
    /** How many responses listeners of links may have open together. */
    maxShareStreams?: number;
    /** The operator's settings. The rest is as in an empty environment. */
    config?: Partial<Config>;
    overrides?: Omit<ComposeOverrides, 'hub'>;
  };

/** A failure of background work fails the test. */
const reports: Reports = {
  failure: () => (error) => {
    throw error;
  },
  damage: () => undefined,
  reserveCrossed: () => undefined,
  backupsRejected: () => undefined,
};

/** A live hub that records the events it publishes. */
function observedHub() {
  const hub = createLiveHub();
  const events: ComposedServer['events'] = [];
  const ended: string[] = [];
  const observed: LiveHub = {
    join: (client) => hub.join(client),
    publish(userId, event) {
      events.push({ ...event, userId });
      hub.publish(userId, event);
    },
    publishToAll: (event) => hub.publishToAll(event),
    endSession(sessionId) {
      ended.push(sessionId);
      hub.endSession(sessionId);
    },
    sessionIds: () => hub.sessionIds(),
    closeAll: () => hub.closeAll(),
    get clientCount() {
      return hub.clientCount;
    },
  };
  return { observed, events, ended };
}

/**
 * Composes the server on these stores and this clock, without a port: requests are injected and jobs run on
 * demand. Closes when the test ends.
 */
export function composedServer({
  database,
  blobs,
  clock,
  config: given = {},
  secretKey = new Uint8Array(32).fill(7),
  setUpCode = null,
  mailer = null,
  transcriber = null,
  logger,
  maxShareStreams = Infinity,
  overrides = {},
}: Given): ComposedServer {
  // Independent of how full the test machine's disk is.
  const config = { ...readConfig({}), publicUrl, diskReserveBytes: 0, signUpQuotaBytes: 0, ...given };
  const queue = createJobQueue({ clock });
  const tokens = new GivenTokens();
  const { observed: hub, events, ended } = observedHub();
  const features = compose({
    config,
    database,
    blobs,
    clock,
    queue,
    secretKey,
    setUpCode,
    mailer: mailer === null ? null : recordingMailer(mailer, tokens),
    transcriber,
    version: '0.0.0',
    build: async () => '0a1b2c3d',
    openBackupTarget: () => Promise.reject(new Error('no backups')),
    isDraining: () => false,
    maxShareStreams,
    webDirectory: null,
    reports,
    overrides: { ...overrides, hub },
  });
  const app = createServerApp(features, {
    config,
    requestBudget: null,
    ...(logger === undefined ? {} : { logger }),
  });
  recordTokens(app, tokens);
  const runner = new JobRunner({ database, queue, clock, handlers: features.jobs });
  const running = new Services();
  void running.start(features.links);
  onTestFinished(async () => {
    await app.close();
    await running.stop();
  });
  onTestFinished(() => expectNoTraces(tokens, database));
  return {
    app,
    tokens,
    hub,
    events,
    ended,
    runJobs: () => runner.runDue(),
    start: () => running.start(features.library),
    checkLinks: () => features.links.checkLinks(),
  };
}
