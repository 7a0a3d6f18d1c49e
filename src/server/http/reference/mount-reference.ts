import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pagePolicy } from '../security-headers.ts';
import { sessionCookieName } from '../session-cookie.ts';
import { describeOperations, openApiDocument } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { SchemaPrinter } from './schemas.ts';

function describe() {
  const printer = new SchemaPrinter();
  const operations = describeOperations(printer);
  return { operations, schemas: printer.components };
}

/** Serves the API's description: for programs at `/api/openapi.json`, for people at `/api/docs`. It is made once, when it is first asked for: no start waits for it. */
export function mountReference(app: FastifyInstance, { version, publicUrl }: { version: string; publicUrl: string }): void {
  let document: string | null = null;
  let described: ReturnType<typeof describe> | null = null;
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument({ version, cookieName: sessionCookieName(publicUrl) }));
    return reply.header('Cache-Control', 'no-cache').type('application/json; charset=utf-8').send(document);
  });
  app.get('/api/docs', async (_request, reply) => {
    described ??= describe();
    const nonce = randomBytes(16).toString('base64');
    return reply.headers({ 'Content-Security-Policy': pagePolicy(nonce), 'Cache-Control': 'no-cache' })
      .type('text/html; charset=utf-8').send(referencePage({ ...described, nonce }));
  });
}
