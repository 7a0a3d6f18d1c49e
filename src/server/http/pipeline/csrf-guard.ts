import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../problem.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface CsrfRules { publicOrigin: string; cookieName: string }

/** Answers whether a request stands on its session cookie; a bearer token is no ambient authority and needs no guard of its own. */
function carriesCookieAuthority(request: FastifyRequest, cookieName: string): boolean {
  return request.cookies[cookieName] !== undefined && !/^bearer /i.test(request.headers.authorization ?? '');
}

function isOurOrigin(origin: string, request: FastifyRequest, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true;
  return URL.parse(origin)?.host === request.headers.host;
}

/**
 * Refuses writes that another site made a browser send: cross-site (403). Fetch metadata decides; without it the Origin does; without both
 * only a request that carries no session cookie may pass. A write by cookie also needs X-Requested-With, which a form cannot send.
 */
export function refuseCrossSite(request: FastifyRequest, rules: CsrfRules): void {
  if (safeMethods.has(request.method)) return;
  const byCookie = carriesCookieAuthority(request, rules.cookieName);
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const ours = site !== undefined ? site === 'same-origin' : origin !== undefined ? isOurOrigin(origin, request, rules.publicOrigin) : !byCookie;
  if (!ours || (byCookie && request.headers['x-requested-with'] === undefined)) throw new ProblemError('cross-site');
}
