import type { FailureCode } from './messages.ts';

/** Why a take cannot start or continue, by its permanent code. */
export class WorkerFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkerFailure';
    this.code = code;
  }
}

/**
 * Converts any thrown value to a failure with a code. A full disk always throws `QuotaExceededError`; for every
 * other error `code` names the failed operation.
 */
export function failureOf(error: unknown, code: FailureCode): WorkerFailure {
  if (error instanceof WorkerFailure) return error;
  const name = error instanceof Error ? error.name : 'unknown';
  const message = error instanceof Error ? `${name}: ${error.message}` : String(error);
  return new WorkerFailure(name === 'QuotaExceededError' ? 'storage-full' : code, message, { cause: error });
}

/** Runs one storage step; any error becomes `storage-refused` or `storage-full`. */
export async function storing<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw failureOf(error, 'storage-refused');
  }
}
