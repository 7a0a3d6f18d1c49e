import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../../../http/problem.ts';
import { ProviderError } from '../providers/provider.ts';

const codes = {
  unavailable: 'provider-unavailable', slow: 'provider-slow', 'mix-up': 'oauth-state-mismatch', clock: 'oauth-clock-wrong', refused: 'oauth-exchange-failed',
} as const;

/** What a provider did wrong, in the words of the catalogue; the log has the reason, but neither codes, tokens nor what they say of a person. */
export function problemOfProvider(error: unknown, where: { request: FastifyRequest; provider: string }): ProblemError {
  if (!(error instanceof ProviderError)) return new ProblemError('internal', { cause: error });
  where.request.log.warn({ provider: where.provider, reason: error.reason, trouble: error.message }, 'a provider could not be signed in with');
  return new ProblemError(codes[error.reason], { cause: error });
}
