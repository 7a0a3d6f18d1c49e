import type { FastifyRequest } from 'fastify';

/**
 * The decoded path of a request that reached a `/*` route or the not-found handler. Never judge a request by
 * the text of its URL: the router decodes it first, so `/%61pi/recordings` is `/api/recordings` there.
 */
export function matchedPath(request: FastifyRequest): string {
  const { params } = request;
  const rest = typeof params === 'object' && params !== null && '*' in params ? params['*'] : undefined;
  return typeof rest === 'string' ? `/${rest.replace(/^\//, '')}` : '/';
}

/** Nothing below these is ever a page of the app, and no page has an empty part in its path. */
export const notPages = /^\/(api|auth|assets)(\/|$)|\/\//;
