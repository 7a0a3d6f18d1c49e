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
 * Translates a provider's failure to one of our problems. The reason is logged, without codes, tokens or personal
 * data.
 */
export function problemOfProvider(
  error: unknown,
  where: { request: FastifyRequest; provider: string },
): ProblemError {
  if (!(error instanceof ProviderError)) return new ProblemError('internal', { cause: error });
  where.request.log.warn(
    { provider: where.provider, reason: error.reason, failure: error.message },
    'sign-in with a provider failed',
  );
  return new ProblemError(codes[error.reason], { cause: error });
}

/** Error codes that report an outage (RFC 6749 §4.1.2.1). */
const outages: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/**
 * Translates the `error` of a provider's response: an outage, a configuration error, or otherwise a denial by the
 * user.
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
