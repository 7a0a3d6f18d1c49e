import type { FastifyInstance } from 'fastify';
import { returnAddress } from '#contract/links.ts';
import { notPages } from '#server/http/edge/matched-path.ts';

const home = '/';
/** Only its path counts; the name can never be a real one (RFC 6761 §6.4). */
const anyOrigin = 'http://here.invalid';
const longestPath = 2000;

/**
 * The page of this app that a browser is sent back to; the recorder for everything that is none. What comes
 * out always begins with one slash and a character that is no slash, so that a browser cannot take it for the
 * address of another host.
 */
export function returnPathOf(to: string | null): string {
  const url = to === null || to.length > longestPath || !to.startsWith('/') ? null : URL.parse(to, anyOrigin);
  if (url === null || url.origin !== anyOrigin) return home;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/.//host` is normalised to `//host`.
  return /^\/(?![/\\])/.test(path) && !notPages.test(url.pathname) ? path : home;
}

/**
 * Mounts the address that leads out of the service worker and back. A proxy with a sign-in of its own meets
 * the browser there; once it lets the request through, the browser returns to the page that it came from.
 */
export function mountReturn(app: FastifyInstance): void {
  app.get(returnAddress, (request, reply) => {
    const to = new URL(request.url, anyOrigin).searchParams.getAll('to');
    return reply
      .code(303)
      .header('Location', returnPathOf(to.length === 1 ? (to[0] ?? null) : null))
      .send();
  });
}
