import type { FastifyRequest } from 'fastify';

/**
 * Returns the decoded path of a request that reached a `/*` route or the not-found handler. Never match the raw
 * URL: the router decodes it first, so it treats `/%61pi/recordings` as `/api/recordings`.
 */
export function matchedPath(request: FastifyRequest): string {
  const { params } = request;
  const rest = typeof params === 'object' && params !== null && '*' in params ? params['*'] : undefined;
  return typeof rest === 'string' ? `/${rest.replace(/^\//, '')}` : '/';
}

/** Paths of shared recordings. The app has no page there, and no other site or index may learn of them. */
const sharedPaths = /^\/(s|embed|oembed)(\/|$)/i;

/** Whether a request is for a path of a shared recording, also if nothing answers there. Its route is matched. */
export function isSharedPath(request: FastifyRequest): boolean {
  const { url = '/*' } = request.routeOptions;
  return sharedPaths.test(url === '/*' ? matchedPath(request) : url);
}

/** Paths below these are never a page of the app, and no page has an empty path segment. */
export const notPages = /^\/(api|auth|assets)(\/|$)|\/\//;
