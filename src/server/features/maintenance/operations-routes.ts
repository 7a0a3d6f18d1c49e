import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import { isBareLoopback } from '#server/http/edge/bare-loopback.ts';
import { isLoopback } from '#server/http/edge/loopback.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { DiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import type { Metrics } from './metrics.ts';

export interface OperationsDeps {
  database: Database;
  blobs: BlobStore;
  clock: Clock;
  metrics: Metrics;
  /** The bearer token of a monitoring system; empty where there is none. */
  metricsToken: string;
  publicUrl: string;
  version: string;
  isDraining: () => boolean;
  /** Whether this server sends mail. */
  hasMail: boolean;
  /** How many stored streams are damaged, as far as verification knows. */
  damagedCount: () => Promise<number>;
  reserve: Pick<DiskReserve, 'status'>;
}

/** Checking the stores writes and syncs a file, and anybody may ask for it. */
const readinessLifeMs = second;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

const hasToken = ({ headers: { authorization } }: FastifyRequest, token: string): boolean =>
  token !== '' &&
  authorization !== undefined &&
  timingSafeEqual(digestOf(authorization), digestOf(`Bearer ${token}`));

/**
 * Where a token is set, everybody needs it. Without one, only a program on this machine may read the metrics,
 * and only of a server for this machine.
 */
function mayReadMetrics(request: FastifyRequest, { metricsToken, publicUrl }: OperationsDeps): boolean {
  if (metricsToken !== '') return hasToken(request, metricsToken);
  return isLoopback(new URL(publicUrl)) && isBareLoopback(request);
}

async function stateOf(check: Promise<void>): Promise<'ok' | 'failing'> {
  try {
    await check;
    return 'ok';
  } catch {
    return 'failing';
  }
}

type StoreStates = Record<'database' | 'blobs', 'ok' | 'failing'>;

/** Checks the stores at most once in `readinessLifeMs`, however many ask. */
function createReadiness({ database, blobs, clock }: OperationsDeps): () => Promise<StoreStates> {
  let latest: { states: Promise<StoreStates>; checkedAtMs: number } | null = null;
  const check = async (): Promise<StoreStates> => {
    const [ofDatabase, ofBlobs] = await Promise.all([stateOf(database.ping()), stateOf(blobs.ping())]);
    return { database: ofDatabase, blobs: ofBlobs };
  };
  return () => {
    const nowMs = clock.nowMs();
    // A clock that was set back must not make an old answer last.
    if (latest === null || Math.abs(nowMs - latest.checkedAtMs) >= readinessLifeMs)
      latest = { states: check(), checkedAtMs: nowMs };
    return latest.states;
  };
}

/**
 * Health checks call by IP address, and a scraper by the name of a container or host: these routes check
 * their caller themselves.
 */
const anyHost = { config: { isForAnyHost: true } };

/** `/healthz`: this process is alive. `/readyz`: it can do its work. `/metrics`: what it has done. */
export function mountOperations(app: FastifyInstance, deps: OperationsDeps): void {
  const readiness = createReadiness(deps);

  app.get('/healthz', anyHost, async (request, reply) => {
    if (!isBareLoopback(request) && !hasToken(request, deps.metricsToken))
      return reply.send({ status: 'ok' });
    // A process whose database does not answer is alive all the same.
    const damaged = await deps.damagedCount().catch(() => null);
    return reply.send({
      status: 'ok',
      version: deps.version,
      database: deps.database.dialect,
      blobs: 'disk',
      email: deps.hasMail,
      damaged,
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
    deps.metrics.damaged(await deps.damagedCount());
    deps.metrics.disk(await deps.reserve.status());
    const { text, mediaType } = await deps.metrics.render();
    return reply.type(mediaType).send(text);
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Answers whatever the Host header says, because it checks its caller itself or tells nothing worth
     * protecting.
     */
    isForAnyHost?: boolean;
  }
}
