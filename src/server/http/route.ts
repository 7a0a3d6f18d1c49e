import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  Endpoint,
  ParamsOf,
  ParsedBodyOf,
  ParsedHeadersOf,
  ParsedQueryOf,
  ReplyOf,
} from '#contract/endpoint.ts';
import type { Principal } from './principal.ts';

/** One request, identified and validated, as a handler sees it. */
export interface RouteContext<E> {
  /** Path parameters; ids are lower-case UUIDs by the time a handler runs. */
  params: ParamsOf<E>;
  query: ParsedQueryOf<E>;
  body: ParsedBodyOf<E>;
  headers: ParsedHeadersOf<E>;
  /** The body as it came, for calls that send bytes; empty where there was none. */
  bytes: Buffer;
  principal: Principal | null;
  /** The client's address, seen through the trusted proxies. */
  ip: string;
  /** Aborted when the client went away before its answer was out. */
  signal: AbortSignal;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What a handler answers with; `'sent'` where it has taken the reply into its own hands. */
type Answer<E> = { status?: number; body?: ReplyOf<E>; headers?: Record<string, string> } | 'sent';

export type Handler<E> = (context: RouteContext<E>) => Promise<Answer<E>>;

/** A request before its parts were given the types of one endpoint. */
export interface UntypedContext extends Omit<
  RouteContext<Endpoint>,
  'params' | 'query' | 'body' | 'headers'
> {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  headers: unknown;
}

export type UntypedAnswer = { status?: number; body?: unknown; headers?: Record<string, string> } | 'sent';

/** An endpoint with its handler, ready for the pipeline to mount. */
export interface Route {
  endpoint: Endpoint;
  handle: (context: UntypedContext) => Promise<UntypedAnswer>;
}

/**
 * Binds a handler to its endpoint: the pipeline parses by the endpoint's schemas what the handler's types
 * promise.
 */
export function route<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  // The one place where parsed values meet the types of their schemas.
  return { endpoint, handle: (context) => handler(context as unknown as RouteContext<E>) };
}
