import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ProviderAnswer } from '#contract/provider-answer.ts';
import type { HttpApp } from '#server/http/app.ts';
import { negotiateLocale } from '#server/http/pages/negotiate-page.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { ProviderRegister } from '#server/features/accounts/providers/create-providers.ts';
import { callbackHeaders, callbackPage } from './callback-page.ts';

const largestAnswerBytes = 32 * 1024;
/** What is only for the log need not be whole. */
const longestOf: Partial<Record<string, number>> = { error_description: 1000 };
const formType = 'application/x-www-form-urlencoded';
const paramsSchema = z.object({ provider: z.string() });

/** RFC 6749 §3.1: a parameter that comes twice is none. */
function once(params: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = params.getAll(name);
  return more.length === 0 ? value : undefined;
}

function answerOf(provider: string, params: URLSearchParams): ProviderAnswer {
  const named = (['state', 'code', 'error', 'error_description', 'iss', 'user'] as const).map(
    (name) => [name, once(params, name)?.slice(0, longestOf[name])] as const,
  );
  return {
    type: 'provider-answer',
    provider,
    body: Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  };
}

function sendCallback(
  providers: ProviderRegister,
  request: FastifyRequest,
  given: { reply: FastifyReply; params: URLSearchParams },
): FastifyReply {
  const { provider } = paramsSchema.parse(request.params);
  if (!providers.find(provider)) throw new ProblemError('provider-unknown');
  const nonce = randomBytes(16).toString('base64');
  const locale = negotiateLocale({
    query: undefined,
    cookie: undefined,
    acceptLanguage: request.headers['accept-language'],
  });
  return given.reply
    .headers(callbackHeaders(nonce))
    .type('text/html; charset=utf-8')
    .send(callbackPage(answerOf(provider, given.params), { locale, nonce }));
}

/**
 * Mounts the address that providers send browsers back to, by GET or by form post. The post comes from
 * another site, with no cookie of ours, and is the one write that may: it changes nothing.
 */
export function mountCallback(app: HttpApp, providers: ProviderRegister): void {
  const url = '/auth/:provider/callback';
  app.get(url, (request, reply) =>
    sendCallback(providers, request, {
      reply,
      params: new URL(request.url, 'http://here.invalid').searchParams,
    }),
  );
  app.post(url, { bodyLimit: largestAnswerBytes }, (request, reply) => {
    if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== formType)
      throw new ProblemError('unsupported-media-type');
    const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
    return sendCallback(providers, request, { reply, params: new URLSearchParams(body) });
  });
}
