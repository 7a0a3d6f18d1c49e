import { randomBytes } from 'node:crypto';
import type {} from '@fastify/cookie';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { day } from '#base/duration.ts';
import { shippedLocale } from '#contract/locales.ts';
import { picturesPath } from '#contract/page-pictures.ts';
import { isSharedPath, matchedPath, notPages } from '#server/http/edge/matched-path.ts';
import { filePolicy, pagePolicy } from '#server/http/security-headers.ts';
import { negotiateLocale, requested } from './negotiate-page.ts';
import type { OtherBuilds, StoredAsset } from './other-builds.ts';
import { OwnFiles } from './own-files.ts';
import { readPageTemplates, type PageTemplates } from './page-template.ts';
import { sendCompressed } from './send-compressed.ts';
import { readWebManifest } from './web-manifest.ts';

const noOtherBuilds: OtherBuilds = { find: async () => null };

const langQuerySchema = z.object({ lang: z.string().optional() }).catch({});
const themeSchema = z.enum(['light', 'dark']).nullable().catch(null);

const newNonce = (): string => randomBytes(16).toString('base64');

const localeOf = (request: FastifyRequest) =>
  negotiateLocale({
    query: langQuerySchema.parse(request.query).lang,
    cookie: request.cookies['lang'],
    acceptLanguage: request.headers['accept-language'],
  });

const byLanguage = { Vary: 'Accept-Language, Cookie', 'Cache-Control': 'no-cache' };

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  templates: PageTemplates,
): Promise<FastifyReply> {
  const nonce = newNonce();
  const path = matchedPath(request);
  const locale = localeOf(request);
  const theme = themeSchema.parse(request.cookies['theme'] ?? null);
  reply
    .headers({
      'Content-Security-Policy': pagePolicy(nonce),
      'Content-Language': locale.tag,
      ...byLanguage,
      Vary: `${byLanguage.Vary}, Accept-Encoding`,
    })
    .type('text/html; charset=utf-8');
  // Compression is safe here: the page holds no secret but its nonce and echoes nothing of the request, so its
  // length reveals nothing.
  return sendCompressed(request, reply, templates.page({ path, locale, theme, nonce }));
}

/**
 * The URL from which the service worker fetches the page for offline use. The response is the same for all users,
 * whatever the cookies.
 */
const shellPath = '/app-shell';

function sendShell(reply: FastifyReply, { shell }: PageTemplates): FastifyReply {
  const nonce = newNonce();
  return reply
    .headers({ 'Content-Security-Policy': pagePolicy(nonce), 'Cache-Control': 'no-cache' })
    .type('text/html; charset=utf-8')
    .send(shell(nonce));
}

/**
 * Sends the parts that the service worker caches with the offline page: the start of each page, in a language used
 * on the device.
 */
async function sendPictures(
  request: FastifyRequest<{ Params: { tag: string } }>,
  reply: FastifyReply,
  { pictures }: PageTemplates,
): Promise<FastifyReply> {
  const locale = shippedLocale(request.params.tag);
  if (locale === null) {
    reply.callNotFound();
    return reply;
  }
  reply
    .headers({ 'Content-Security-Policy': filePolicy, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' })
    .type('application/json; charset=utf-8');
  return sendCompressed(request, reply, JSON.stringify(pictures(locale.tag)));
}

/** File names below assets/ contain a hash of the content, so the content of a URL never changes. */
const immutable = `public, max-age=${(365 * day) / 1000}, immutable`;

const cacheControlOf = (path: string): string => (path.startsWith('/assets/') ? immutable : 'no-cache');

interface FileSource {
  find(path: string, options: { acceptsBrotli: boolean }): Promise<StoredAsset | null>;
}

/** Sends a file that is in memory or in the store, with the headers of a file on disk. */
async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, source }: { path: string; source: FileSource },
): Promise<FastifyReply> {
  const acceptsBrotli = requested(request.headers['accept-encoding'] ?? '').includes('br');
  const file = await source.find(path, { acceptsBrotli });
  if (file === null) {
    reply.callNotFound();
    return reply;
  }
  if (file.encoding !== null) reply.header('Content-Encoding', file.encoding);
  return reply
    .headers({
      'Cache-Control': cacheControlOf(path),
      'Content-Security-Policy': filePolicy,
      Vary: 'accept-encoding',
    })
    .type(file.mediaType)
    .send(Buffer.from(file.bytes));
}

async function sendOwnFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, ownFiles }: { path: string; ownFiles: OwnFiles },
): Promise<FastifyReply> {
  if (!(await ownFiles.isOnDisk(path))) return sendStored(request, reply, { path, source: ownFiles });
  return reply
    .headers({ 'Cache-Control': cacheControlOf(path), 'Content-Security-Policy': filePolicy })
    .sendFile(path.slice(1));
}

const acceptsHtml = (request: FastifyRequest): boolean =>
  /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');

/**
 * Serves the built web app: its files, also after they are gone from disk, and its page at every other URL. Must be
 * mounted after all other routes.
 * @param directory contains index.html, assets/ and .vite/manifest.json, the output of `npm run build`
 * @param otherBuilds answers for files below assets/ that this build does not have
 */
export async function mountWebApp(
  app: FastifyInstance,
  directory: string,
  otherBuilds: OtherBuilds = noOtherBuilds,
): Promise<void> {
  const [ownFiles, templates, manifestIn] = await Promise.all([
    OwnFiles.read(directory),
    readPageTemplates(directory),
    readWebManifest(directory),
  ]);
  await app.register(serveFiles, { root: directory, serve: false, preCompressed: true, cacheControl: false });
  app.get('/manifest.webmanifest', async (request, reply) => {
    const locale = localeOf(request);
    return reply
      .headers({ ...byLanguage, 'Content-Language': locale.tag, 'Content-Security-Policy': filePolicy })
      .type('application/manifest+json; charset=utf-8')
      .send(manifestIn(locale));
  });
  app.get<{ Params: { tag: string } }>(`${picturesPath}:tag`, (request, reply) =>
    sendPictures(request, reply, templates),
  );
  app.get('/*', async (request, reply) => {
    const path = matchedPath(request);
    if (ownFiles.has(path)) return sendOwnFile(request, reply, { path, ownFiles });
    if (path.startsWith('/assets/')) return sendStored(request, reply, { path, source: otherBuilds });
    if (path === shellPath) return sendShell(reply, templates);
    if (notPages.test(path) || isSharedPath(request) || !acceptsHtml(request)) return reply.callNotFound();
    return sendPage(request, reply, templates);
  });
}
