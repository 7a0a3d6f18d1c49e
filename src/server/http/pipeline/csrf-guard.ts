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
 * Returns whether the session cookie could authorise this request. An upload capability is not ambient authority,
 * but exempts only endpoints that it authorises; any other endpoint ignores it and checks the cookie.
 */
function carriesCookieAuthority(request: FastifyRequest, { cookieName }: CsrfRules, access: Access): boolean {
  if (request.cookies[cookieName] === undefined || access === 'upload-capability') return false;
  return access !== 'session-or-upload-capability' || presentedCapability(request) === null;
}

/**
 * Compares whole origins, including scheme and port. The request's own host counts too: it was already checked, so
 * it can only be another name of loopback.
 */
function isOurOrigin(origin: string, request: FastifyRequest, publicOrigin: string): boolean {
  return (
    origin === publicOrigin || origin === `${new URL(publicOrigin).protocol}//${request.headers.host ?? ''}`
  );
}

/**
 * Rejects writes that another site made a browser send. Fetch metadata decides; without it the Origin header;
 * without both, only a request without a session cookie may pass. A write by cookie also needs X-Requested-With,
 * which a form cannot send.
 * @throws cross-site (403)
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
