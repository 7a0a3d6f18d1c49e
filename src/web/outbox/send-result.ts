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
