import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { idSchema } from '#contract/values.ts';
import { rejectCrossSite, type CsrfRules } from './csrf-guard.ts';
import { identifyCaller } from './identify-caller.ts';
import type { Identify, Principal } from '#server/http/principal.ts';
import { ProblemError } from '#server/http/problem.ts';
import { onceByKey, type KeyedAnswers } from './keyed-requests.ts';
import { problemReply } from './problem-reply.ts';
import { bodyLimitOf, isForm, parseForm, parseJson, rejectForeignBody } from './read-body.ts';
import type { RequestBudget } from './request-budget.ts';
import { checkedPages, hasPages, jsonTexts, sendInPieces, sendWhole } from '#server/http/send-in-pieces.ts';
import type { Route, UntypedAnswer, UntypedContext } from '#server/http/route.ts';
import type { OpenRequests } from '#server/http/open-requests.ts';
import { parsePart, rejectField } from '#server/http/validation.ts';
import { workContext } from '#server/logs/work-context.ts';

export interface Pipeline {
  identify: Identify;
  csrf: CsrfRules;
  /** Checks handlers' responses against the reply schemas, for tests and development. */
  validateReplies: boolean;
  /** Registers the long responses of a right, to abort them when it ends. */
  openRequests: OpenRequests | null;
  /** The request limit of each caller; null for no limit. */
  requestBudget: RequestBudget | null;
  /** Stores responses to requests with an idempotency key. */
  keyedAnswers: KeyedAnswers | null;
}

/**
 * Parses path parameters, which are ids unless the endpoint says otherwise. An invalid UUID is not found (404), or
 * fails validation (422) if the request would create it.
 */
function parseParams(endpoint: Endpoint, params: unknown): Record<string, string> {
  const entries = Object.entries(z.record(z.string(), z.string()).parse(params ?? {}));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const parsed = (endpoint.params?.[name] ?? idSchema).safeParse(value);
      if (parsed.success) return [name, parsed.data];
      throw endpoint.method === 'PUT' ? rejectField(`/path/${name}`, 'uuid') : new ProblemError('not-found');
    }),
  );
}

function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Parses every part of a request with the endpoint's schemas. */
function contextOf(
  endpoint: Endpoint,
  { request, reply, spend }: Pick<UntypedContext, 'request' | 'reply' | 'spend'>,
): UntypedContext {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return {
    params: parseParams(endpoint, request.params),
    query: endpoint.query ? parsePart(endpoint.query, request.query, '/query') : undefined,
    headers: endpoint.headers ? parsePart(endpoint.headers, request.headers, '/headers') : undefined,
    body: endpoint.body
      ? parsePart(endpoint.body, isForm(request) ? parseForm(bytes) : parseJson(bytes), '')
      : undefined,
    bytes,
    principal: request.principal,
    ip: request.ip,
    signal: signalOf(reply),
    spend,
    request,
    reply,
  };
}

function checkedBody(endpoint: Endpoint, body: unknown, validateReplies: boolean): unknown {
  return validateReplies && endpoint.reply && body !== undefined ? endpoint.reply.parse(body) : body;
}

async function present(
  endpoint: Endpoint,
  answer: Exclude<UntypedAnswer, 'sent'>,
  {
    reply,
    validateReplies,
    spend,
  }: { reply: FastifyReply; validateReplies: boolean; spend: UntypedContext['spend'] },
): Promise<void> {
  const { body } = answer;
  reply.code(answer.status ?? endpoint.statuses[0] ?? 200).headers(answer.headers ?? {});
  if (body === undefined) {
    void reply.send();
    return;
  }
  reply.type('application/json; charset=utf-8');
  const check = (one: unknown): unknown => checkedBody(endpoint, one, validateReplies);
  if (hasPages(body)) {
    await sendInPieces(reply, jsonTexts(checkedPages(body, check)), spend);
    return;
  }
  const bytes = Buffer.from(JSON.stringify(check(body)));
  spend(bytes.length);
  sendWhole(reply, bytes);
}

/** Whether a response must end with its caller's right. The live hub closes the event streams of sessions itself. */
const isLong = ({ replyKind }: Endpoint, { kind }: Principal): boolean =>
  replyKind === 'bytes' || (replyKind === 'event-stream' && kind === 'share');

/** Identifies sessions also while the database is lost, if this server can. */
const outlivingDatabase = (identify: Identify): Identify => ({
  ...identify,
  session: (request) => identify.sessionInOutage?.(request) ?? identify.session(request),
});

/**
 * Mounts one route with its steps: CSRF guard, identification, media type and size, validation, handler, response.
 */
export function mountRoute(
  app: FastifyInstance,
  { endpoint, handle, renderProblem, outlivesDatabase }: Route,
  pipeline: Pipeline,
): void {
  const identify = outlivesDatabase === true ? outlivingDatabase(pipeline.identify) : pipeline.identify;
  const method: HTTPMethods = endpoint.method;
  app.route({
    method,
    url: endpoint.path,
    bodyLimit: bodyLimitOf(endpoint),
    exposeHeadRoute: method === 'GET' && endpoint.replyKind !== 'event-stream',
    ...(renderProblem === undefined ? {} : { errorHandler: problemReply(renderProblem) }),
    onRequest: async (request) => {
      rejectCrossSite(request, pipeline.csrf, endpoint.access);
      request.principal = await identifyCaller(request, {
        access: endpoint.access,
        cookieName: pipeline.csrf.cookieName,
        identify,
      });
      await pipeline.requestBudget?.admit(request, endpoint);
      rejectForeignBody(request, endpoint);
    },
    handler: (request, reply) =>
      workContext.run({ requestId: request.id, jobId: null }, async () => {
        const { principal } = request;
        if (principal !== null && isLong(endpoint, principal)) pipeline.openRequests?.enter(principal, reply);
        const spend = (bytes: number): void => pipeline.requestBudget?.spend(request, bytes);
        const work = () => handle(contextOf(endpoint, { request, reply, spend }));
        const answer = await onceByKey(request, endpoint, { answers: pipeline.keyedAnswers, work });
        if (answer === 'sent') return reply;
        if (principal !== null && hasPages(answer.body)) pipeline.openRequests?.enter(principal, reply);
        await present(endpoint, answer, { reply, validateReplies: pipeline.validateReplies, spend });
        return reply;
      }),
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}
