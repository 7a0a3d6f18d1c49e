import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type {} from '@fastify/cookie';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { day } from '#base/duration.ts';
import { sourceLocale } from '#contract/locales.ts';
import { filePolicy, pagePolicy } from '../security-headers.ts';
import { negotiateLocale } from './negotiate-page.ts';
import { readPageTemplate, type PageTemplate } from './page-template.ts';
import { readWebManifest } from './web-manifest.ts';

const langQuerySchema = z.object({ lang: z.string().optional() }).catch({});
const themeSchema = z.enum(['light', 'dark']).nullable().catch(null);
/** Nothing below these is ever a page of the app, and no page has an empty part in its path. */
const notPages = /^\/(api|auth|assets)(\/|$)|\/\//;

async function filesBelow(directory: string): Promise<Set<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => `/${relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/')}`);
  return new Set(paths.filter((path) => !path.startsWith('/.') && path !== '/index.html' && !/\.(br|gz)$/.test(path)));
}

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] ?? '/';

const newNonce = (): string => randomBytes(16).toString('base64');

const localeOf = (request: FastifyRequest) => negotiateLocale({ query: langQuerySchema.parse(request.query).lang, cookie: request.cookies['lang'], acceptLanguage: request.headers['accept-language'] });

const byLanguage = { Vary: 'Accept-Language, Cookie', 'Cache-Control': 'no-cache' };

function sendPage(request: FastifyRequest, reply: FastifyReply, template: PageTemplate): FastifyReply {
  const nonce = newNonce();
  const path = pathOf(request);
  const locale = localeOf(request);
  const theme = themeSchema.parse(request.cookies['theme'] ?? null);
  return reply.headers({ 'Content-Security-Policy': pagePolicy(nonce), 'Content-Language': locale.tag, ...byLanguage })
    .type('text/html; charset=utf-8').send(template({ path, locale, theme, nonce }));
}

/** Where the service worker fetches the page it keeps for times without a server: the same for everybody, whatever the cookies. */
const shellPath = '/app-shell';

function sendShell(reply: FastifyReply, template: PageTemplate): FastifyReply {
  const nonce = newNonce();
  return reply.headers({ 'Content-Security-Policy': pagePolicy(nonce), 'Cache-Control': 'no-cache' })
    .type('text/html; charset=utf-8').send(template({ path: shellPath, locale: sourceLocale, theme: null, nonce, isToBeKept: true }));
}

const acceptsHtml = (request: FastifyRequest): boolean => /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');

/**
 * Serves the built web app: its files, and its page at every other address. Must be mounted after all other routes.
 * @param directory holds index.html, assets/ and .vite/manifest.json, as `npm run build` leaves them
 */
export async function mountWebApp(app: FastifyInstance, directory: string): Promise<void> {
  const [files, template, manifestIn] = await Promise.all([filesBelow(directory), readPageTemplate(directory), readWebManifest(directory)]);
  await app.register(serveFiles, { root: directory, serve: false, preCompressed: true, cacheControl: false });
  app.get('/manifest.webmanifest', async (request, reply) => {
    const locale = localeOf(request);
    return reply.headers({ ...byLanguage, 'Content-Language': locale.tag, 'Content-Security-Policy': filePolicy }).type('application/manifest+json; charset=utf-8').send(manifestIn(locale));
  });
  app.get('/*', async (request, reply) => {
    const path = pathOf(request);
    if (files.has(path)) {
      // The name of a file below assets/ holds its hash: what it names never changes.
      const cacheControl = path.startsWith('/assets/') ? `public, max-age=${(365 * day) / 1000}, immutable` : 'no-cache';
      reply.headers({ 'Cache-Control': cacheControl, 'Content-Security-Policy': filePolicy });
      return reply.sendFile(path.slice(1));
    }
    if (path === shellPath) return sendShell(reply, template);
    if (notPages.test(path) || !acceptsHtml(request)) return reply.callNotFound();
    return sendPage(request, reply, template);
  });
}
