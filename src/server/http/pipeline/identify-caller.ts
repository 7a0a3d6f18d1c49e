import type {} from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import type { Access, ShareAccess } from '#contract/endpoint.ts';
import type { Identify, Principal, SessionPrincipal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { principalOfShare, type ShareIdentification } from '#server/http/share-grant.ts';
import { presentedCapability } from './presented-capability.ts';

/**
 * RFC 9110 §11.6.1 requires a challenge on every 401. Browsers do not know this scheme and therefore show no
 * prompt.
 */
export const sessionChallenge = { 'WWW-Authenticate': 'Session realm="earshot"' };
const uploadChallenge = { 'WWW-Authenticate': 'Bearer realm="earshot-upload"' };

interface IdentifyOptions {
  access: Access;
  cookieName: string;
  identify: Identify;
}

async function bySession(
  request: FastifyRequest,
  cookieName: string,
  identify: Identify,
): Promise<SessionPrincipal> {
  const principal = await identify.session({
    cookieToken: request.cookies[cookieName] ?? null,
    ip: request.ip,
  });
  if (principal === null) throw new ProblemError('session-required', { headers: sessionChallenge });
  if (principal === 'expired') throw new ProblemError('session-expired', { headers: sessionChallenge });
  const expected = request.headers['x-expected-principal'];
  if (expected !== undefined && expected !== principal.userId) throw new ProblemError('principal-changed');
  return principal;
}

async function byCapability(request: FastifyRequest, identify: Identify): Promise<Principal> {
  const token = presentedCapability(request);
  const principal = token === null ? null : await identify.uploadCapability(token);
  if (principal === null) throw new ProblemError('upload-token-invalid', { headers: uploadChallenge });
  return principal;
}

function tokenOf({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'token' in params ? String(params.token) : '';
}

async function byShare(
  request: FastifyRequest,
  { access, cookieName, identify }: IdentifyOptions & { access: ShareAccess },
): Promise<Principal> {
  const found: ShareIdentification = (await identify.share?.({
    token: tokenOf(request),
    ip: request.ip,
    cookie: (name) => request.cookies[name],
    session: () => bySession(request, cookieName, identify),
  })) ?? { kind: 'not-found' };
  return principalOfShare(found, access);
}

/**
 * Identifies the caller by the credentials that the endpoint accepts, before the body is read. A presented
 * capability decides alone: an invalid one is rejected, and a session cookie next to it adds no right.
 * @throws session-required, session-expired, upload-token-invalid (401) or principal-changed (409), and those of
 * `principalOfShare`
 */
export async function identifyCaller(
  request: FastifyRequest,
  options: IdentifyOptions,
): Promise<Principal | null> {
  const { access, cookieName, identify } = options;
  switch (access) {
    case 'anyone':
      return null;
    case 'session':
      return bySession(request, cookieName, identify);
    case 'upload-capability':
      return byCapability(request, identify);
    case 'session-or-upload-capability':
      return presentedCapability(request) === null
        ? bySession(request, cookieName, identify)
        : byCapability(request, identify);
    case 'share':
    case 'share-locked':
    case 'share-outsider':
      return byShare(request, { ...options, access });
  }
}
