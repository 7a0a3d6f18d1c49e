import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '../../http/problem.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { Database } from '../../storage/database/database.ts';
import type { Metrics } from './metrics.ts';

export interface OperationsDeps {
  database: Database;
  blobs: BlobStore;
  metrics: Metrics;
  metricsToken: string;
  version: string;
  isDraining: () => boolean;
  /** Whether this server sends mail. */
  hasMail: boolean;
  /** How many stored streams are damaged, as far as verification knows. */
  damagedCount: () => Promise<number>;
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** This machine may read the metrics, unless a proxy speaks for somebody else; other machines need the token. */
function mayReadMetrics(request: FastifyRequest, token: string): boolean {
  const { authorization, forwarded, 'x-forwarded-for': forwardedFor } = request.headers;
  if (token !== '' && authorization !== undefined) return timingSafeEqual(digestOf(authorization), digestOf(`Bearer ${token}`));
  return forwarded === undefined && forwardedFor === undefined && /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '');
}

async function stateOf(check: Promise<void>): Promise<'ok' | 'failing'> {
  try {
    await check;
    return 'ok';
  } catch {
    return 'failing';
  }
}

/** `/healthz`: this process is alive. `/readyz`: it can do its work. `/metrics`: what it has done. */
export function mountOperations(app: FastifyInstance, deps: OperationsDeps): void {
  app.get('/healthz', async (_request, reply) => {
    // A process whose database does not answer is alive all the same.
    const damaged = await deps.damagedCount().catch(() => null);
    return reply.header('Cache-Control', 'no-store').send({ status: 'ok', version: deps.version, database: deps.database.dialect, blobs: 'disk', email: deps.hasMail, damaged });
  });

  app.get('/readyz', async (_request, reply) => {
    const [database, blobs] = await Promise.all([stateOf(deps.database.ping()), stateOf(deps.blobs.ping())]);
    const draining = deps.isDraining();
    const ready = !draining && database === 'ok' && blobs === 'ok';
    return reply.code(ready ? 200 : 503).header('Cache-Control', 'no-store').send({ status: ready ? 'ready' : draining ? 'draining' : 'failing', database, blobs });
  });

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.metricsToken)) throw new ProblemError('not-found');
    deps.metrics.damaged(await deps.damagedCount());
    const { text, mediaType } = await deps.metrics.render();
    return reply.header('Cache-Control', 'no-store').type(mediaType).send(text);
  });
}
