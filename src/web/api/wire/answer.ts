import type { Problem } from '#contract/errors.ts';
import { ApiError } from '../api-error.ts';
import { HoldError } from '../hold/hold-error.ts';

/**
 * Runs one exchange with the server and gives its successful answer.
 * @throws ApiError for an answer that is no success, `offline` when none came, the hold's code when it was held and let go; an abort's own reason.
 */
export async function answerOrError<Result>(exchange: () => Promise<Result>): Promise<Result> {
  let result: Result;
  try {
    result = await exchange();
  } catch (error) {
    if (error instanceof HoldError) throw new ApiError({ code: error.code, status: 0, problem: null }, { cause: error });
    // fetch speaks of every network failure as a bare TypeError.
    if (error instanceof TypeError) throw new ApiError({ code: 'offline', status: 0, problem: null }, { cause: error });
    throw error;
  }
  if (result instanceof Response && !result.ok) throw await errorOf(result);
  return result;
}

async function errorOf(response: Response): Promise<ApiError> {
  const problem = await problemOf(response);
  return new ApiError({ code: problem?.code ?? codeOfStatus(response.status), status: response.status, problem });
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
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' && 'instance' in body && typeof body.instance === 'string';

/** An answer that is not ours (a proxy's page) still says something by its status. */
function codeOfStatus(status: number): string {
  if (status === 413) return 'too-large';
  if (status === 429) return 'rate-limited';
  if (status === 401) return 'session-expired';
  return status === 502 || status === 503 || status === 504 ? 'server-unreachable' : 'internal';
}
