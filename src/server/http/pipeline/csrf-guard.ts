import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import type { Access } from '#contract/endpoint.ts';
import { ProblemError } from '#server/http/problem.ts';
import { isShareCookie } from '#server/http/session-cookie.ts';
import { presentedCapability } from './presented-capability.ts';
import { isOfShares } from './is-of-shares.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface CsrfRules {
  publicUrl: string;
  publicOrigin: string;
  cookieName: string;
}

/**
 * Returns whether a cookie could authorise this request: that of the session, or at a share's address also that of
 * a visit. An upload capability is not ambient authority, but exempts only endpoints that it authorises; any other
 * endpoint ignores it and checks the cookie.
 */
function carriesCookieAuthority(
  request: FastifyRequest,
  { cookieName, publicUrl }: CsrfRules,
  access: Access,
): boolean {
  if (isOfShares(access))
    return Object.keys(request.cookies).some((name) => name === cookieName || isShareCookie(name, publicUrl));
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
 * without both, only a request without such a cookie may pass. A write by cookie also needs X-Requested-With, which
 * a form cannot send; the pages of shares have forms, because they work without scripts.
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
  const needsHeader = byCookie && !isOfShares(access);
  if (!ours || (needsHeader && request.headers['x-requested-with'] === undefined))
    throw new ProblemError('cross-site');
}
