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

/** How long a provider may take to answer one request. */
export const providerTimeoutMs = 8 * second;

const serverFault = 500;
/** RFC 9110 §15.5.9 and RFC 6585 §4: nothing is wrong with the request but its moment. */
const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);
export const isPassingStatus = (status: number): boolean =>
  status >= serverFault || passingStatuses.has(status);
const isServerFault = (response: unknown): boolean =>
  response instanceof Response && isPassingStatus(response.status);

const isTimeout = (error: unknown): boolean =>
  (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT') ||
  (error instanceof DOMException && error.name === 'TimeoutError');

/** RFC 7519 §4.1.4 and §4.1.5: a token that is too old, or of a time to come. */
const isOfOtherTime = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';

/** Whether an error says that the provider is down, not that what it said is wrong. */
function isOutage(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return isPassingStatus(error.status);
  if (error instanceof ClientError) return error.code === 'OAUTH_ABORT' || isServerFault(error.cause);
  // What fetch throws where nothing answered; a wrong argument has a code of its own.
  return error instanceof TypeError && !('code' in error);
}

function reasonOf(error: unknown, otherwise: ProviderError['reason']): ProviderError['reason'] {
  if (isTimeout(error)) return 'slow';
  if (isOfOtherTime(error)) return 'clock';
  return isOutage(error) ? 'unavailable' : otherwise;
}

/** The library wraps what our network threw. */
function ownError(error: unknown): ProviderError | null {
  if (error instanceof ProviderError) return error;
  return error instanceof ClientError && error.cause instanceof ProviderError ? error.cause : null;
}

/**
 * Turns what a library threw into the one error of this folder. A fault that lasts is the set-up's, whatever
 * `otherwise` says.
 */
export function translated(error: unknown, otherwise: ProviderError['reason']): ProviderError {
  const own = ownError(error);
  if (own) return own;
  const fault = permanentFault(error);
  if (fault !== null) return new ProviderError('set-up', fault, error);
  return new ProviderError(reasonOf(error, otherwise), faultMessages(error), error);
}

/** The network in the shape that the library calls it by. */
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
