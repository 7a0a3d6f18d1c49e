import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { type LinkRoute, type LinkRouteName, linkRouteOf } from './link-routes.ts';
import type { Method } from './route-text.ts';
import { routeOf, type Route, type RouteName } from './routes.ts';

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * Required credentials: a session cookie, an upload capability, either of them, or none. `share`: the token of a
 * shared recording in the path parameter `token`, with all that its owner requires (password, account).
 * `share-locked`: such a token whose password may be missing, or whose recording may not have started.
 * `share-outsider`: such a token, also of a share that is not for the signed-in user.
 */
export type Access =
  | 'anyone'
  | 'session'
  | 'upload-capability'
  | 'session-or-upload-capability'
  | 'share'
  | 'share-locked'
  | 'share-outsider';

/** What the endpoints below a share's address require. */
export type ShareAccess = Extract<Access, 'share' | 'share-locked' | 'share-outsider'>;

/** The kind of a non-JSON reply. */
type BinaryKind = 'bytes' | 'event-stream';

export interface Endpoint<
  Path extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  method: Method;
  path: Path;
  /** One sentence for the API reference. */
  summary: string;
  access: Access;
  query?: Query;
  /** Set if requests with the same `Idempotency-Key` within a day take effect only once. */
  isKeyed?: true;
  /** Schemas of path parameters that are not ids. */
  params?: Readonly<Record<string, z.ZodType<string>>>;
  /** Additional request headers, in lower case. */
  headers?: z.ZodType;
  /** JSON body; unknown fields are rejected. */
  body?: Body;
  /** Set if the body may also be a form (`application/x-www-form-urlencoded`), for pages that work without scripts. */
  isForm?: true;
  /** The largest JSON body in bytes, if it is not the default. */
  maxBodyBytes?: number;
  /** The media type of a binary request body; replaces `body`. */
  bodyMediaType?: string;
  /** JSON reply; absent for an empty reply (204) or with `replyKind`. */
  reply?: Reply;
  replyKind?: BinaryKind;
  /**
   * Possible media types of a binary reply, including ranges (RFC 9110 §12.5.1); `application/octet-stream` if
   * absent.
   */
  replyMediaTypes?: readonly string[];
  /** Success statuses, the usual one first. */
  statuses: readonly number[];
  errors: readonly ErrorCode[];
}

export type ParamsOf<E> = E extends { path: infer Path extends string }
  ? Record<ParamNames<Path>, string>
  : never;
export type QueryOf<E> = E extends { query: infer Query extends z.ZodType } ? z.input<Query> : undefined;
export type BodyOf<E> = E extends { body: infer Body extends z.ZodType } ? z.input<Body> : undefined;
export type ParsedQueryOf<E> = E extends { query: infer Query extends z.ZodType }
  ? z.output<Query>
  : undefined;
export type ParsedBodyOf<E> = E extends { body: infer Body extends z.ZodType } ? z.output<Body> : undefined;
export type ParsedHeadersOf<E> = E extends { headers: infer Headers extends z.ZodType }
  ? z.output<Headers>
  : undefined;
export type ReplyOf<E> = E extends { reply: infer Reply extends z.ZodType } ? z.output<Reply> : undefined;

/** Declares an HTTP endpoint once for the server, the browser and the API reference. */
export const endpoint = <
  const Name extends RouteName,
  const E extends Omit<Endpoint<Route<Name>['path']>, 'method' | 'path'>,
>(
  name: Name,
  definition: E,
): E & Route<Name> => ({ ...routeOf(name), ...definition });

/** Declares an HTTP endpoint that listeners call, as `endpoint` does. */
export const linkEndpoint = <
  const Name extends LinkRouteName,
  const E extends Omit<Endpoint<LinkRoute<Name>['path']>, 'method' | 'path'>,
>(
  name: Name,
  definition: E,
): E & LinkRoute<Name> => ({ ...linkRouteOf(name), ...definition });
