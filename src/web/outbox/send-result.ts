import { failureOfCode } from '#device/outbox/failure.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { ApiError, isUnreached } from '#web/api/api-error.ts';

/** What a failed call means for the entry that it carried. */
export function resultOf(error: unknown): SendResult {
  if (isUnreached(error)) return 'unreachable';
  if (!(error instanceof ApiError)) return 'later';
  const failure = failureOfCode(error.code);
  // A conflict with the state of the recording does not pass by itself.
  if (failure === 'never' || (failure === 'later' && error.status === 409)) return 'settled';
  return failure;
}

/** Any answer that is about the change itself, and not about the session, the limits or the state of the server. */
export const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** What a failed call means for a change that goes once the server rejects it, which is announced. */
export function resultOrRejection(error: unknown, announce: (error: unknown) => void): SendResult {
  const result = resultOf(error);
  if (result !== 'settled' && (result !== 'later' || !isRejection(error))) return result;
  announce(error);
  return 'settled';
}
