import type { Problem } from '#contract/errors.ts';
import { HoldError } from '#web/api/hold/hold-error.ts';
import { ForeignAnswerError } from './foreign-answer-error.ts';

/**
 * A failed call. `code` is the code of the problem response, or one of the browser's own codes. `status` is 0 if
 * the server did not respond.
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
 * Whether a call failed before it reached the server. Such a failure says nothing about the request and may be
 * temporary.
 */
export const isUnreached = (error: unknown): boolean =>
  error instanceof ApiError && unreachedCodes.has(error.code);

/**
 * Runs one exchange with the server and returns its successful result.
 * @throws ApiError: the problem's code for an error response; `offline` without a response; `gate-closed` or
 * `server-unreachable` for a response of something between the page and the server; the hold's code for a held
 * request that was rejected. An abort throws its own reason.
 */
export async function answerOrError<Result>(exchange: () => Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await exchange();
  } catch (error) {
    if (error instanceof HoldError)
      throw new ApiError({ code: error.code, status: 0, problem: null }, { cause: error });
    if (error instanceof ForeignAnswerError)
      throw new ApiError({ code: codeOfForeign[error.kind], status: 0, problem: null }, { cause: error });
    // The server replies in JSON, so anything else comes from a proxy in front of it.
    if (error instanceof SyntaxError)
      throw new ApiError({ code: 'server-unreachable', status: 0, problem: null }, { cause: error });
    // fetch reports every network failure as a plain TypeError.
    if (error instanceof TypeError)
      throw new ApiError({ code: 'offline', status: 0, problem: null }, { cause: error });
    throw error;
  }
  if (result instanceof Response && !result.ok) throw await errorOf(result);
  return result;
}

const codeOfForeign = { gate: 'gate-closed', unreachable: 'server-unreachable' } as const;

async function errorOf(response: Response): Promise<ApiError> {
  const problem = await problemOf(response);
  return new ApiError({
    code: problem?.code ?? codeOfStatus(response.status),
    status: response.status,
    problem,
  });
}

async function problemOf(response: Response): Promise<Problem | null> {
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) return null;
  try {
    const body: unknown = await response.json();
    return isProblem(body) ? body : null;
  } catch {
    return null;
  }
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'instance' in body &&
  typeof body.instance === 'string';

/** A proxy's rejection of a single request has no problem body, but its status is still meaningful. */
function codeOfStatus(status: number): string {
  if (status === 413) return 'too-large';
  return status === 429 ? 'rate-limited' : 'server-unreachable';
}
