import { ClientError, ResponseBodyError, type CustomFetch } from 'openid-client';
import { second } from '#base/duration.ts';
import { ProviderError, type ProviderDeps } from './provider.ts';

/** How long a provider may take to answer one request. */
export const providerTimeoutMs = 8 * second;

const serverFault = 500;
const isServerFault = (response: unknown): boolean => response instanceof Response && response.status >= serverFault;

const isTimeout = (error: unknown): boolean =>
  (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT') || (error instanceof DOMException && error.name === 'TimeoutError');

/** RFC 7519 §4.1.4 and §4.1.5: a token that is too old, or of a time to come. */
const isOfOtherTime = (error: unknown): boolean => error instanceof ClientError && error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';

/** Whether an error says that the provider is down, not that what it said is wrong. */
function isOutage(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status >= serverFault;
  if (error instanceof ClientError) return error.code === 'OAUTH_ABORT' || isServerFault(error.cause);
  // What fetch throws where nothing answered; a wrong argument has a code of its own.
  return error instanceof TypeError && !('code' in error);
}

function reasonOf(error: unknown, otherwise: ProviderError['reason']): ProviderError['reason'] {
  if (isTimeout(error)) return 'slow';
  if (isOfOtherTime(error)) return 'clock';
  return isOutage(error) ? 'unavailable' : otherwise;
}

/** Turns what a library threw into the one error of this folder. */
export function translated(error: unknown, otherwise: ProviderError['reason']): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(reasonOf(error, otherwise), error instanceof Error ? error.message : 'unknown trouble', error);
}

/** The network in the shape that the library calls it by. */
export const asCustomFetch = (fetch: ProviderDeps['fetch']): CustomFetch =>
  (url, { body, method, headers, redirect, signal }) => fetch(url, { body: body instanceof Uint8Array ? new Uint8Array(body) : (body ?? null), method, headers, redirect, signal: signal ?? null });
