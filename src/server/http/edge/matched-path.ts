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

/** Paths below these are never a page of the app, and no page has an empty path segment. */
export const notPages = /^\/(api|auth|assets)(\/|$)|\/\//;
