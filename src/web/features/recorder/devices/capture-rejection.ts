import type { FailureCode } from '#workers/take/messages.ts';
import type { CaptureErrorReason } from '#web/features/recorder/take/take.ts';

/** A take that could not begin, with the reason the screen explains. */
export class CaptureError extends Error {
  override name = 'Refusal';
  readonly reason: CaptureErrorReason;

  constructor(reason: CaptureErrorReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const reasonsByName: Readonly<Record<string, CaptureErrorReason>> = {
  NotAllowedError: 'microphone-refused',
  SecurityError: 'microphone-refused',
  NotFoundError: 'microphone-missing',
  OverconstrainedError: 'microphone-missing',
  NotReadableError: 'microphone-busy',
  AbortError: 'microphone-busy',
};

/**
 * Names of the Media Capture specification (getUserMedia, step 10) and of our own workers, as the reasons of
 * our catalogue.
 */
export function rejectionReasonOf(error: unknown): CaptureErrorReason {
  if (error instanceof CaptureError) return error.reason;
  return error instanceof Error ? (reasonsByName[error.name] ?? 'internal') : 'internal';
}

/** What a failing take worker means for a take that has not begun. */
export function rejectionReasonOfFailure(code: FailureCode): CaptureErrorReason {
  return code === 'storage-refused' || code === 'storage-full' || code === 'encoder-missing'
    ? code
    : 'internal';
}
