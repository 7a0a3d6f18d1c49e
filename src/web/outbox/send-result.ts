import { failureOfCode } from '#device/outbox/failure.ts';
import type { SendResult } from '#device/outbox/outbox.ts';
import { ApiError, isUnreached } from '#web/api/api-error.ts';

/** The result for an entry whose request failed. */
export function resultOf(error: unknown): SendResult {
  if (isUnreached(error)) return 'unreachable';
  if (!(error instanceof ApiError)) return 'later';
  const failure = failureOfCode(error.code);
  // A conflict with the recording's state is permanent.
  if (failure === 'never' || (failure === 'later' && error.status === 409)) return 'settled';
  return failure;
}

/** Whether the response is about the change itself, not about the session, rate limits or a server error. */
export const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** The result for an entry that is removed, with an announcement, if the server rejects it. */
export function resultOrRejection(error: unknown, announce: (error: unknown) => void): SendResult {
  const result = resultOf(error);
  if (result !== 'settled' && (result !== 'later' || !isRejection(error))) return result;
  announce(error);
  return 'settled';
}
