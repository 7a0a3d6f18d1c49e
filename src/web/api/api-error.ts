import type { Problem } from '#contract/errors.ts';

/**
 * A call that did not succeed. `code` is the problem's, or one of the browser's own; `status` is 0 where the
 * server did not answer.
 */
export class ApiError extends Error {
  readonly problem: Problem | null;
  readonly code: string;
  readonly status: number;

  constructor(
    failure: { code: string; status: number; problem: Problem | null },
    options?: { cause?: unknown },
  ) {
    super(failure.code, options);
    this.name = 'ApiError';
    this.problem = failure.problem;
    this.code = failure.code;
    this.status = failure.status;
  }
}

const unreachedCodes: ReadonlySet<string> = new Set(['offline', 'gate-closed', 'server-unreachable']);

/**
 * Whether a call failed before the server itself answered: it says nothing about what was asked, and passes
 * by itself.
 */
export const isUnreached = (error: unknown): boolean =>
  error instanceof ApiError && unreachedCodes.has(error.code);
