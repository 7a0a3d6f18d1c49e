import { isCausedBy } from '#base/errors/caused-by.ts';
import { codeOf } from '#base/errors/code-of.ts';
import { lostStoreOf } from '#base/errors/lost-store.ts';
import { isMissingReferenceError } from '#base/errors/missing-reference.ts';
import { isNoSpaceError } from '#base/errors/no-space.ts';
import { isUnavailableError } from '#base/errors/unavailable.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import { ProblemError } from '#server/http/problem.ts';
import { outageFields } from '#server/logs/outage-counter.ts';
import type { RenderProblem } from '#server/http/route.ts';

const titles: Partial<Record<ErrorCode, string>> = {
  'not-found': 'There is nothing here',
  internal: 'Something went wrong on the server',
  unavailable: 'The server cannot reach its data',
};
const titleOf = (code: ErrorCode): string =>
  titles[code] ?? `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`;

/** Error codes for rejections by the HTTP framework. */
const frameworkCodes: Record<string, ErrorCode> = {
  // A path segment that is too long.
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  ECONNRESET: 'malformed-request',
};

const frameworkStatuses: Record<number, ErrorCode> = {
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'too-large',
  415: 'unsupported-media-type',
};

/** The process has no file descriptor left (EMFILE), or the system has none (ENFILE). */
const descriptorErrors = new Set(['EMFILE', 'ENFILE']);
const retryAfterOverloadSeconds = 2;
/** A store that does not respond is unavailable for longer than one that restarts. */
const retryAfterOutageSeconds = 10;
const retryAfterFullSeconds = 30;

const isOverload = (error: Error): boolean => descriptorErrors.has(codeOf(error));

/** Maps a framework error without its own code by status: below 500 it is the caller's mistake. */
function frameworkCode(error: FastifyError | Error): ErrorCode | null {
  const code = codeOf(error);
  const known = frameworkCodes[code];
  if (known) return known;
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500;
  return code.startsWith('FST_ERR_') && status < 500
    ? (frameworkStatuses[status] ?? 'malformed-request')
    : null;
}

/**
 * Whether an error is that of the connection to the client. The store's connections have the same codes, so that only
 * the error itself tells whose it is.
 */
const isOfClient = (error: Error, { raw }: FastifyRequest): boolean =>
  isCausedBy(error, (cause) => cause === raw.errored || cause === raw.socket.errored);

const retryAfterLossSeconds = (error: Error): number =>
  isUnavailableError(error) ? retryAfterOutageSeconds : retryAfterOverloadSeconds;

function asProblem(error: FastifyError | Error, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError && error.code !== 'internal') return error;
  if (isCausedBy(error, isOverload))
    return new ProblemError('overloaded', { retryAfterSeconds: retryAfterOverloadSeconds, cause: error });
  if (isNoSpaceError(error))
    return new ProblemError('storage-full', { retryAfterSeconds: retryAfterFullSeconds, cause: error });
  // A device never repeats a request that was answered with 400, so the restart of a database must not look like one.
  if (lostStoreOf(error) !== null && !isOfClient(error, request))
    return new ProblemError('unavailable', {
      retryAfterSeconds: retryAfterLossSeconds(error),
      cause: error,
    });
  if (isMissingReferenceError(error)) return new ProblemError('not-found', { cause: error });
  return error instanceof ProblemError
    ? error
    : new ProblemError(frameworkCode(error) ?? 'internal', { cause: error });
}

/**
 * Returns the body of a problem response, RFC 9457. Its `instance` is the request id, which finds the details in
 * the log.
 */
export function problemOf(error: ProblemError, requestId: string): Problem {
  return {
    type: `/problems/${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    instance: `urn:uuid:${requestId}`,
    code: error.code,
    ...(error.errors ? { errors: error.errors } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfter: error.retryAfterSeconds }),
    ...(error.methods ? { methods: error.methods } : {}),
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.detail === undefined ? {} : { detail: error.detail }),
  };
}

/** They describe the bytes that a handler was about to send. A browser would save a problem under the file's name. */
const headersOfContent = ['Content-Range', 'Content-Disposition', 'ETag', 'Last-Modified'];

/** Answers a failed request. */
type ReplyToError = (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Creates the function that turns any error into its response; no other code does. The cause is logged, never sent.
 * @param render for a page; where it returns null, the response is problem+json
 */
export function problemReply(render: RenderProblem): ReplyToError {
  return (error, request, reply) => {
    const problem = asProblem(error, request);
    const clientIsGone = request.raw.destroyed && !request.raw.complete;
    if (problem.code === 'internal' && !clientIsGone)
      request.log.error({ err: problem.cause ?? problem }, 'request failed');
    // The log counts those that follow.
    if (problem.code === 'unavailable')
      request.log.warn(outageFields(problem.cause, 'requests'), 'requests fail while a store is unavailable');
    if (problem.status >= 500) for (const name of headersOfContent) reply.removeHeader(name);
    if (problem.retryAfterSeconds !== undefined)
      reply.header('Retry-After', String(problem.retryAfterSeconds));
    reply.code(problem.status).headers(problem.headers).header('Cache-Control', 'no-store');
    const page = render(problem, request, reply);
    if (page === null)
      void reply.type('application/problem+json').send(JSON.stringify(problemOf(problem, request.id)));
    else void reply.type('text/html; charset=utf-8').send(page);
  };
}

/** Turns any error of a call into problem+json. */
export const replyWithProblem: ReplyToError = problemReply(() => null);
