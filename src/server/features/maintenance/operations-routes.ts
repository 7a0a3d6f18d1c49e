import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { instantOf } from '#base/instant.ts';
import type { Backups } from '#server/features/backups/create-backups.ts';
import { isBareLoopback } from '#server/http/edge/bare-loopback.ts';
import { isLoopback } from '#server/http/edge/loopback.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import { inTime } from '#server/jobs/in-time.ts';
import type { Metrics } from './metrics.ts';
import type { StoreFigures } from './store-gauges.ts';
import { factReader } from './status/fact-reader.ts';

export interface OperationsDeps {
  database: Database;
  blobs: BlobStore;
  blobKind: 'disk' | 's3';
  clock: Clock;
  metrics: Metrics;
  /** The bearer token of a monitoring system; empty if none is configured. */
  metricsToken: string;
  publicUrl: string;
  version: string;
  isDraining: () => boolean;
  /** Whether this server sends mail. */
  hasMail: boolean;
  /** The number of streams that verification found damaged. */
  damagedCount: () => Promise<number>;
  /** Counts the jobs that are not done. */
  queue: () => Promise<StoreFigures['queue']>;
  /** When the last complete verification ended; null if none has. */
  verifiedAtMs: () => Promise<number | null>;
  /** The number of nodes that the database lists. */
  nodeCount: () => Promise<number>;
  reserve: Pick<DiskReserve, 'status'>;
  backups: Pick<Backups, 'status'>;
}

/** A readiness check writes to the disk or asks the database, and anyone can request it. */
const readinessLifeMs = second;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const hasToken = ({ headers: { authorization } }: FastifyRequest, token: string): boolean =>
  token !== '' &&
  authorization !== undefined &&
  timingSafeEqual(digestOf(authorization), digestOf(`Bearer ${token}`));

/**
 * If a token is configured, it is required. Otherwise only a program on this machine may read the metrics, and
 * only if the public URL is a loopback address.
 */
function mayReadMetrics(request: FastifyRequest, { metricsToken, publicUrl }: OperationsDeps): boolean {
  if (metricsToken !== '') return hasToken(request, metricsToken);
  return isLoopback(new URL(publicUrl)) && isBareLoopback(request);
}

/** A store that takes longer is not ready, and a monitoring system does not wait longer. */
const maxCheckMs = second;

/** Returns the result of a check, or null if it fails or takes longer than a second. */
const promptly = <T>(check: Promise<T>): Promise<T | null> =>
  inTime(
    check.catch(() => null),
    { timeoutMs: maxCheckMs, otherwise: null },
  );

const stateOf = async (check: Promise<void>): Promise<'ok' | 'failing'> =>
  (await promptly(check.then(() => 'ok' as const))) ?? 'failing';

type StoreStates = Record<'database' | 'blobs', 'ok' | 'failing'>;

/** Checks the stores at most once per `readinessLifeMs`, regardless of the number of requests. */
function createReadiness({ database, blobs, clock }: OperationsDeps): () => Promise<StoreStates> {
  let latest: { states: Promise<StoreStates>; checkedAtMs: number } | null = null;
  const check = async (): Promise<StoreStates> => {
    const [ofDatabase, ofBlobs] = await Promise.all([stateOf(database.ping()), stateOf(blobs.ping())]);
    return { database: ofDatabase, blobs: ofBlobs };
  };
  return () => {
    const nowMs = clock.nowMs();
    // If the clock was set back, an old result must not stay valid.
    if (latest === null || Math.abs(nowMs - latest.checkedAtMs) >= readinessLifeMs)
      latest = { states: check(), checkedAtMs: nowMs };
    return latest.states;
  };
}

/**
 * Reads what the metrics say of the stores. Each read has a second and does not wait for the others, and at most one of
 * each runs, so that a scrape is answered while a store is lost.
 */
function createStoreFigures(deps: OperationsDeps): () => Promise<StoreFigures> {
  const { database, clock } = deps;
  const read = {
    ping: factReader(() => database.ping().then(() => true), maxCheckMs),
    damaged: factReader(() => deps.damagedCount(), maxCheckMs),
    disk: factReader(() => deps.reserve.status(), maxCheckMs),
    backups: factReader(() => deps.backups.status(), maxCheckMs),
    queue: factReader(() => deps.queue(), maxCheckMs),
    verifiedAt: factReader(() => deps.verifiedAtMs(), maxCheckMs),
    nodes: factReader(() => deps.nodeCount(), maxCheckMs),
    moving: factReader(async () => (await deps.blobs.movingFigures?.()) ?? null, maxCheckMs),
  };
  return async () => {
    const [ping, damaged, disk, backups, queue, verifiedAt, nodes, moving] = await Promise.all([
      read.ping(),
      read.damaged(),
      read.disk(),
      read.backups(),
      read.queue(),
      read.verifiedAt(),
      read.nodes(),
      read.moving(),
    ]);
    return {
      isDatabaseUp: ping.value === true,
      damagedSegments: damaged.value,
      disk: disk.value,
      backups: backups.value,
      queue: queue.value,
      verifiedAtMs: verifiedAt.value,
      nodes: nodes.value,
      moving: moving.value,
      waitingForConnection: database.waitingForConnection(),
      nowMs: clock.nowMs(),
    };
  };
}

/**
 * Health checks use an IP address, and scrapers the name of a container or host, so these routes accept any Host
 * header and check the caller themselves.
 */
const anyHost = { config: { isForAnyHost: true } };

/** `/healthz`: the process is alive. `/readyz`: it can work. `/metrics`: what it has done. */
export function mountOperations(app: FastifyInstance, deps: OperationsDeps): void {
  const readiness = createReadiness(deps);
  const figures = createStoreFigures(deps);

  app.get('/healthz', anyHost, async (request, reply) => {
    if (!isBareLoopback(request) && !hasToken(request, deps.metricsToken))
      return reply.send({ status: 'ok' });
    // A process is alive even if its database does not respond.
    const damaged = await promptly(deps.damagedCount());
    const backup = await promptly(deps.backups.status());
    return reply.send({
      status: 'ok',
      version: deps.version,
      database: deps.database.dialect,
      blobs: deps.blobKind,
      email: deps.hasMail,
      damaged,
      backup: backup && {
        startedAt: backup.newest && instantOf(backup.newest.startedAtMs),
        isOverdue: backup.isOverdue,
        hasFailed: backup.failure !== null,
      },
    });
  });

  app.get('/readyz', anyHost, async (_request, reply) => {
    const { database, blobs } = await readiness();
    const draining = deps.isDraining();
    const ready = !draining && database === 'ok' && blobs === 'ok';
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : draining ? 'draining' : 'failing', database, blobs });
  });

  app.get('/metrics', anyHost, async (request, reply) => {
    if (!mayReadMetrics(request, deps)) throw new ProblemError('not-found');
    deps.metrics.stores(await figures());
    const { text, mediaType } = await deps.metrics.render();
    return reply.type(mediaType).send(text);
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Accepts any Host header, because the route checks its caller itself or reveals nothing that needs
     * protection.
     */
    isForAnyHost?: boolean;
  }
}
