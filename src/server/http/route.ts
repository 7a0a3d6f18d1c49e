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
import type { ProblemError } from './problem.ts';
import type { InPieces } from './send-in-pieces.ts';

/** One identified and validated request, as a handler receives it. */
export interface RouteContext<E> {
  /** Path parameters. Ids are already lower-case UUIDs. */
  params: ParamsOf<E>;
  query: ParsedQueryOf<E>;
  body: ParsedBodyOf<E>;
  headers: ParsedHeadersOf<E>;
  /** The raw body, for endpoints that receive bytes; empty if there is none. */
  bytes: Buffer;
  principal: Principal | null;
  /** The client's address, seen through the trusted proxies. */
  ip: string;
  /** Aborted when the client disconnects before the response is complete. */
  signal: AbortSignal;
  /** Counts bytes of text against the sender's limit. Call it for each text that a handler sends itself. */
  spend: (bytes: number) => void;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A handler's response; `'sent'` if the handler sent the reply itself. Long lists of its body are sent in pieces. */
type Answer<E> = { status?: number; body?: InPieces<ReplyOf<E>>; headers?: Record<string, string> } | 'sent';

export type Handler<E> = (context: RouteContext<E>) => Promise<Answer<E>>;

/** A request before its parts have the types of one endpoint. */
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

/** Renders a problem as an HTML page, whose headers it sets. Null: the reply is problem+json. */
export type RenderProblem = (
  problem: ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
) => string | null;

/** An endpoint with its handler, ready for mounting. */
export interface Route {
  endpoint: Endpoint;
  handle: (context: UntypedContext) => Promise<UntypedAnswer>;
  /** For pages: what readers see if the request fails, also before the handler. */
  renderProblem?: RenderProblem;
  /**
   * Set if administrators may read it while the database is lost. The handler must do without the database, and change
   * nothing.
   */
  outlivesDatabase?: true;
}

/**
 * Binds a handler to its endpoint. The pipeline parses each part with the endpoint's schemas, as the handler's
 * types require.
 */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: Handler<E>,
  options: Pick<Route, 'renderProblem' | 'outlivesDatabase'> = {},
): Route {
  // The only place that casts parsed values to the types of their schemas.
  return { endpoint, handle: (context) => handler(context as unknown as RouteContext<E>), ...options };
}
