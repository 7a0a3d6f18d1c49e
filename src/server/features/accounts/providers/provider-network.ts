import {
  ClientError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  ResponseBodyError,
  type CustomFetch,
} from 'openid-client';
import { second } from '#base/duration.ts';
import { permanentFault, faultMessages } from './permanent-faults.ts';
import { ProviderError, type FlowSecrets, type ProviderDeps } from './provider.ts';

/** The timeout of one request to a provider. */
export const providerTimeoutMs = 8 * second;

const serverFault = 500;
/** Statuses that report a temporary condition rather than a wrong request (RFC 9110 §15.5.9, RFC 6585 §4). */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);
export const isPassingStatus = (status: number): boolean =>
  status >= serverFault || passingStatuses.has(status);
const isServerFault = (response: unknown): boolean =>
  response instanceof Response && isPassingStatus(response.status);

const isTimeout = (error: unknown): boolean =>
  (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT') ||
  (error instanceof DOMException && error.name === 'TimeoutError');

/** A token that has expired or is not yet valid (RFC 7519 §4.1.4, §4.1.5). */
const isOfOtherTime = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';

/** Whether an error shows that the provider is down, rather than that its response is wrong. */
function isOutage(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return isPassingStatus(error.status);
  if (error instanceof ClientError) return error.code === 'OAUTH_ABORT' || isServerFault(error.cause);
  // `fetch` throws a TypeError without a code if the server can't be reached; for an invalid argument the error
  // has a code.
  return error instanceof TypeError && !('code' in error);
}

function reasonOf(error: unknown, otherwise: ProviderError['reason']): ProviderError['reason'] {
  if (isTimeout(error)) return 'slow';
  if (isOfOtherTime(error)) return 'clock';
  return isOutage(error) ? 'unavailable' : otherwise;
}

/** Unwraps our own error, which the library wraps if our `fetch` throws it. */
function ownError(error: unknown): ProviderError | null {
  if (error instanceof ProviderError) return error;
  return error instanceof ClientError && error.cause instanceof ProviderError ? error.cause : null;
}

/**
 * Converts a library's error to a ProviderError. A permanent failure always has the reason `set-up`, regardless of
 * `otherwise`.
 */
export function translated(error: unknown, otherwise: ProviderError['reason']): ProviderError {
  const own = ownError(error);
  if (own) return own;
  const fault = permanentFault(error);
  if (fault !== null) return new ProviderError('set-up', fault, error);
  return new ProviderError(reasonOf(error, otherwise), faultMessages(error), error);
}

/** Adapts `fetch` to the signature that the library expects. */
export const asCustomFetch =
  (fetch: ProviderDeps['fetch']): CustomFetch =>
  (url, { body, method, headers, redirect, signal }) =>
    fetch(url, {
      body: body instanceof Uint8Array ? new Uint8Array(body) : (body ?? null),
      method,
      headers,
      redirect,
      signal: signal ?? null,
    });

/** Secrets of a sign-in that is never finished, for the administrator's test. */
export const testSecrets = (): FlowSecrets => ({
  state: randomState(),
  nonce: randomNonce(),
  codeVerifier: randomPKCECodeVerifier(),
});
