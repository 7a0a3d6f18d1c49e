import { errorStatus, type ErrorCode, type FieldError } from '#contract/errors.ts';

/** An expected failure: any feature throws it, and `replyWithProblem` turns it into problem+json. */
export class ProblemError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Record<string, string>;
  readonly methods: string[] | undefined;
  /** Why, if the code has several causes. */
  readonly reason: string | undefined;
  /** Language-independent facts for the reader, such as an address. */
  readonly detail: string | undefined;

  /** @param options.cause is logged, never sent. */
  constructor(
    code: ErrorCode,
    options: {
      errors?: FieldError[];
      retryAfterSeconds?: number;
      headers?: Record<string, string>;
      methods?: string[];
      reason?: string;
      detail?: string;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = 'ProblemError';
    this.code = code;
    this.status = errorStatus[code];
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.methods = options.methods;
    this.reason = options.reason;
    this.detail = options.detail;
  }
}
