import type { Api } from '#contract/api.ts';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts';
import { firstRoutes } from '#contract/first-routes.ts';
import { pathOf, splitRoute } from '#contract/route-text.ts';
import type { RouteName } from '#contract/routes.ts';
import { answerOrError } from './api-error.ts';
import type { HoldOptions } from './hold/hold-client.ts';
import { request } from './request.ts';

type ParamsInput<E> = keyof ParamsOf<E> extends never ? { params?: undefined } : { params: ParamsOf<E> };
type QueryInput<E> =
  QueryOf<E> extends undefined ? { query?: undefined } : { query?: QueryOf<E> | undefined };
type BodyInput<E> = BodyOf<E> extends undefined ? { body?: undefined } : { body: BodyOf<E> };

export type AddressInput<Name extends RouteName> = ParamsInput<Api[Name]> & QueryInput<Api[Name]>;
export type CallInput<Name extends RouteName> = AddressInput<Name> &
  BodyInput<Api[Name]> & { signal?: AbortSignal | undefined; hold?: HoldOptions | undefined };
export type OptionalWhereEmpty<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

interface LooseInput {
  params?: Record<string, string> | undefined;
  query?: object | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  hold?: HoldOptions | undefined;
}

/**
 * Makes the call of a route and returns its reply. Use `call`, or `firstCall` on the first screen.
 * @param route `METHOD /path`
 */
export async function sendCall<Name extends RouteName>(
  name: Name,
  route: string,
  input: LooseInput = {},
): Promise<ReplyOf<Api[Name]>> {
  const { method, path } = splitRoute(route);
  const response = await answerOrError(() =>
    request(addressOf({ path }, input), initOf({ method }, input), input.hold),
  );
  const reply: ReplyOf<Api[Name]> = await answerOrError(async () => {
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  });
  if (import.meta.env.DEV) await (await import('./check-reply.ts')).checkReply(name, reply);
  return reply;
}

/** Makes a call of the first screen, as `call` does. */
export const firstCall = <Name extends keyof typeof firstRoutes>(
  name: Name,
  ...[input]: OptionalWhereEmpty<CallInput<Name>>
): Promise<ReplyOf<Api[Name]>> => sendCall(name, firstRoutes[name], input);

/** The URL of a call. */
export function addressOf(route: { path: string }, input: LooseInput | undefined): string {
  const path = pathOf(route, input?.params ?? {});
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input?.query ?? {})) {
    if (value !== undefined) query.set(key, String(value));
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * The bodies of all keepalive requests together may have 64 KiB (Fetch, "HTTP-network-or-cache fetch"). A
 * character has three bytes at most.
 */
const maxOutlivingCharacters = 2000;

function initOf({ method }: { method: string }, { body, signal }: LooseInput): RequestInit {
  const text = body === undefined ? '' : JSON.stringify(body);
  // With keepalive, a change is delivered even if the page is closed right after it.
  const keepalive = method !== 'GET' && text.length <= maxOutlivingCharacters;
  const init: RequestInit = {
    method,
    signal: signal ?? null,
    keepalive,
    headers: { accept: 'application/json' },
  };
  return body === undefined
    ? init
    : { ...init, body: text, headers: { accept: 'application/json', 'content-type': 'application/json' } };
}
