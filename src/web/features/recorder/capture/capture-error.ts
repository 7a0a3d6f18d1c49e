import type { FailureCode } from '#workers/take/messages.ts';

/** Why a take could not start. */
export type CaptureErrorReason =
  | 'microphone-refused'
  | 'microphone-missing'
  | 'microphone-busy'
  | 'insecure-page'
  | 'storage-refused'
  | 'storage-full'
  | 'encoder-missing'
  /** The take that should continue belongs to another account. */
  | 'not-yours'
  /** The take that should continue is recorded in another tab. */
  | 'recording-elsewhere'
  /** The take that should continue is no longer on this device. */
  | 'recording-gone'
  | 'internal';

/** Thrown when a take could not start, with the reason that the screen explains. */
export class CaptureError extends Error {
  override name = 'CaptureError';
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

/** Maps error names of the Media Capture specification (getUserMedia, step 10) to our reasons. */
export function rejectionReasonOf(error: unknown): CaptureErrorReason {
  if (error instanceof CaptureError) return error.reason;
  return error instanceof Error ? (reasonsByName[error.name] ?? 'internal') : 'internal';
}

const reasonsOfFailures: Readonly<Record<FailureCode, CaptureErrorReason>> = {
  'storage-refused': 'storage-refused',
  'storage-full': 'storage-full',
  'encoder-missing': 'encoder-missing',
  locked: 'recording-elsewhere',
  'not-found': 'recording-gone',
  internal: 'internal',
};

/** Maps a failure of the worker to the reason why a take could not start. */
export function rejectionReasonOfFailure(code: FailureCode): CaptureErrorReason {
  return reasonsOfFailures[code];
}
