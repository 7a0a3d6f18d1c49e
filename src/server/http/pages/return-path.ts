import type { FastifyInstance } from 'fastify';
import { returnAddress } from '#contract/links.ts';
import { notPages } from '#server/http/edge/matched-path.ts';
import { anyOrigin, queryOf } from '#server/http/request-url.ts';

const home = '/';
const maxPathLength = 2000;

/**
 * Returns the path in this app to which a browser is sent back, or the recorder's if the input is not one of our
 * pages. The result always starts with exactly one slash, so that a browser cannot take it for another host.
 */
export function returnPathOf(to: string | null): string {
  const url =
    to === null || to.length > maxPathLength || !to.startsWith('/') ? null : URL.parse(to, anyOrigin);
  if (url === null || url.origin !== anyOrigin) return home;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/.//host` is normalised to `//host`.
  return /^\/(?![/\\])/.test(path) && !notPages.test(url.pathname) ? path : home;
}

/**
 * Mounts the URL that bypasses the service worker and leads back. A proxy with its own sign-in intercepts the
 * browser there; once it lets the request through, the browser returns to its previous page.
 */
export function mountReturn(app: FastifyInstance): void {
  app.get(returnAddress, (request, reply) => {
    const to = queryOf(request).getAll('to');
    return reply
      .code(303)
      .header('Location', returnPathOf(to.length === 1 ? (to[0] ?? null) : null))
      .send();
  });
}
