import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { deferred } from '#base/deferred.ts';
import { pagePolicy } from '#server/http/security-headers.ts';
import { sessionCookieName } from '#server/http/session-cookie.ts';

/** Its schemas would delay the start. */
const loadReference = deferred(() => import('./reference.ts'));

/** Serves the API's description: as OpenAPI at `/api/openapi.json`, as a readable page at `/api/docs`. */
export function mountReference(
  app: FastifyInstance,
  { version, publicUrl }: { version: string; publicUrl: string },
): void {
  let document: string | null = null;
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(
      (await loadReference()).openApiDocument({ version, cookieName: sessionCookieName(publicUrl) }),
    );
    return reply.header('Cache-Control', 'no-cache').type('application/json; charset=utf-8').send(document);
  });
  app.get('/api/docs', async (_request, reply) => {
    const { pageOfCalls } = await loadReference();
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({ 'Content-Security-Policy': pagePolicy(nonce), 'Cache-Control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(pageOfCalls(nonce));
  });
}
