import type { RouteContext } from './route.ts';
import type { SessionPrincipal, UploadPrincipal } from './principal.ts';
import { ProblemError } from './problem.ts';

type Caller = Pick<RouteContext<unknown>, 'principal'>;

/** The signed-in person behind a request; session-required where there is none. */
export function sessionOf({ principal }: Caller): SessionPrincipal {
  if (principal?.kind !== 'session') throw new ProblemError('session-required');
  return principal;
}

/** The admin behind a request; session-required where nobody is signed in, forbidden for everybody else. */
export function adminOf(caller: Caller): SessionPrincipal {
  const principal = sessionOf(caller);
  if (principal.role !== 'admin') throw new ProblemError('forbidden');
  return principal;
}

/** The upload capability behind a request; upload-token-invalid where there is none. */
export function capabilityOf({ principal }: Caller): UploadPrincipal {
  if (principal?.kind !== 'upload-capability') throw new ProblemError('upload-token-invalid');
  return principal;
}
