import type { Problem } from '#contract/errors.ts';
import { HoldError } from '#web/api/hold/hold-error.ts';
import { ForeignAnswerError } from '#web/api/connection/connection.ts';

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

/**
 * Runs one exchange with the server and gives its successful answer.
 * @throws ApiError for an answer that is no success, `offline` when none came, `gate-closed` or `server-unreachable` when something else answered in the server's
 * place, the hold's code when it was held and let go; an abort's own reason.
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
    // The server's replies are JSON: anything else was written by something in front of it.
    if (error instanceof SyntaxError)
      throw new ApiError({ code: 'server-unreachable', status: 0, problem: null }, { cause: error });
    // fetch speaks of every network failure as a bare TypeError.
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

/** A proxy that refuses a single request still says something by its status. */
function codeOfStatus(status: number): string {
  if (status === 413) return 'too-large';
  return status === 429 ? 'rate-limited' : 'server-unreachable';
}
