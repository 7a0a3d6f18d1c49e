import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import { ProblemError } from '#server/http/problem.ts';
import { presentedCapability } from './presented-capability.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface CsrfRules {
  publicOrigin: string;
  cookieName: string;
}

/**
 * Whether the session cookie that came along may be what a request is authorised by. An upload capability is
 * no ambient authority, but it exempts only calls that are authorised by it: another call ignores it and
 * looks at the cookie.
 */
function carriesCookieAuthority(request: FastifyRequest, { cookieName }: CsrfRules, access: Access): boolean {
  if (request.cookies[cookieName] === undefined || access === 'upload-capability') return false;
  return access !== 'session-or-upload-capability' || presentedCapability(request) === null;
}

/**
 * Origins are compared whole, scheme and port included. The host itself counts too: it was checked, so it
 * differs only between names of loopback.
 */
function isOurOrigin(origin: string, request: FastifyRequest, publicOrigin: string): boolean {
  return (
    origin === publicOrigin || origin === `${new URL(publicOrigin).protocol}//${request.headers.host ?? ''}`
  );
}

/**
 * Refuses writes that another site made a browser send: cross-site (403). Fetch metadata decides; without it
 * the Origin does; without both only a request that carries no session cookie may pass. A write by cookie
 * also needs X-Requested-With, which a form cannot send.
 */
export function rejectCrossSite(request: FastifyRequest, rules: CsrfRules, access: Access): void {
  if (safeMethods.has(request.method)) return;
  const byCookie = carriesCookieAuthority(request, rules, access);
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const ours =
    site !== undefined
      ? site === 'same-origin'
      : origin !== undefined
        ? isOurOrigin(origin, request, rules.publicOrigin)
        : !byCookie;
  if (!ours || (byCookie && request.headers['x-requested-with'] === undefined))
    throw new ProblemError('cross-site');
}
