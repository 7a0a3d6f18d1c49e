import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import { ProblemError } from '../problem.ts';

const titles: Partial<Record<ErrorCode, string>> = { 'not-found': 'There is nothing here', internal: 'Something went wrong on the server' };
const titleOf = (code: ErrorCode): string => titles[code] ?? `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`;

/** What the HTTP framework itself refuses, in the words of the catalogue. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed-request',
  FST_ERR_BAD_URL: 'malformed-request',
  // A part of the path that is too long to name anything.
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  ECONNRESET: 'malformed-request',
};

function asProblem(error: FastifyError | Error): ProblemError {
  if (error instanceof ProblemError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? frameworkCodes[error.code] : undefined;
  return new ProblemError(code ?? 'internal', { cause: error });
}

/** The body of a problem, RFC 9457; its `instance` is the request's id, by which the log has the whole story. */
function problemOf(error: ProblemError, requestId: string): Problem {
  return {
    type: `/problems/${error.code}`, title: titleOf(error.code), status: error.status, instance: `urn:uuid:${requestId}`, code: error.code,
    ...(error.errors ? { errors: error.errors } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfter: error.retryAfterSeconds }),
    ...(error.methods ? { methods: error.methods } : {}),
  };
}

/** Turns any error into its response: the one place where that happens. The cause is logged, never sent. */
export function replyWithProblem(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error);
  const clientIsGone = request.raw.destroyed && !request.raw.complete;
  if (problem.code === 'internal' && !clientIsGone) request.log.error({ err: problem.cause ?? problem }, 'request failed');
  if (problem.retryAfterSeconds !== undefined) reply.header('Retry-After', String(problem.retryAfterSeconds));
  void reply.code(problem.status).headers(problem.headers).header('Cache-Control', 'no-store')
    .type('application/problem+json').send(JSON.stringify(problemOf(problem, request.id)));
}
