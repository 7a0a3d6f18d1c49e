import type { FastifyRequest } from 'fastify';
import { ProblemError } from '#server/http/problem.ts';
import { isPermanentRejection } from '#server/features/accounts/providers/token-rejection.ts';
import { ProviderError } from '#server/features/accounts/providers/provider.ts';

const codes = {
  unavailable: 'provider-unavailable',
  slow: 'provider-slow',
  'mix-up': 'oauth-state-mismatch',
  clock: 'oauth-clock-wrong',
  rejected: 'oauth-exchange-failed',
  'set-up': 'provider-misconfigured',
} as const;

/**
 * What a provider did wrong, in the words of the catalogue; the log has the reason, but neither codes, tokens
 * nor what they say of a user.
 */
export function problemOfProvider(
  error: unknown,
  where: { request: FastifyRequest; provider: string },
): ProblemError {
  if (!(error instanceof ProviderError)) return new ProblemError('internal', { cause: error });
  where.request.log.warn(
    { provider: where.provider, reason: error.reason, failure: error.message },
    'a provider could not be signed in with',
  );
  return new ProblemError(codes[error.reason], { cause: error });
}

/** What the provider itself says went wrong (RFC 6749 §4.1.2.1). */
const outages: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/**
 * A provider's own `error`, in the words of the catalogue: an outage, a fault of the set-up, or else the
 * user's no.
 */
export function problemOfAnswer(
  answer: { error: string; description: string | undefined },
  where: { request: FastifyRequest; provider: string },
): ProblemError {
  const { error, description } = answer;
  if (outages.has(error)) return problemOfProvider(new ProviderError('unavailable', error), where);
  if (!isPermanentRejection(error)) return new ProblemError('oauth-denied');
  return problemOfProvider(
    new ProviderError(
      'set-up',
      `the provider refuses the request: ${error}${description === undefined ? '' : `: ${description}`}`,
    ),
    where,
  );
}
