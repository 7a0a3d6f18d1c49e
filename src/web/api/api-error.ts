import type { Problem } from '#contract/errors.ts';

/** A call that did not succeed. `code` is the problem's, or one of the browser's own; `status` is 0 where no answer came. */
export class ApiError extends Error {
  readonly problem: Problem | null;
  readonly code: string;
  readonly status: number;

  constructor(failure: { code: string; status: number; problem: Problem | null }, options?: { cause?: unknown }) {
    super(failure.code, options);
    this.name = 'ApiError';
    this.problem = failure.problem;
    this.code = failure.code;
    this.status = failure.status;
  }
}
