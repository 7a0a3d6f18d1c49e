import type { RouteContext } from './route.ts';
import type { SessionPrincipal, UploadPrincipal } from './principal.ts';
import type { ShareGrant } from './share-grant.ts';
import { ProblemError } from './problem.ts';

type Caller = Pick<RouteContext<unknown>, 'principal'>;

/**
 * Returns the signed-in user of a request.
 * @throws session-required if there is none
 */
export function sessionOf({ principal }: Caller): SessionPrincipal {
  if (principal?.kind !== 'session') throw new ProblemError('session-required');
  return principal;
}

/**
 * Returns the administrator of a request.
 * @throws session-required without a session, forbidden for other users
 */
export function adminOf(caller: Caller): SessionPrincipal {
  const principal = sessionOf(caller);
  if (principal.role !== 'admin') throw new ProblemError('forbidden');
  return principal;
}

/**
 * Returns the upload capability of a request.
 * @throws upload-token-invalid if there is none
 */
export function capabilityOf({ principal }: Caller): UploadPrincipal {
  if (principal?.kind !== 'upload-capability') throw new ProblemError('upload-token-invalid');
  return principal;
}

/**
 * Returns the grant of a request below a share's address.
 * @throws link-not-found if there is none
 */
export function shareOf({ principal }: Caller): ShareGrant {
  if (principal?.kind !== 'share') throw new ProblemError('link-not-found');
  return principal;
}
