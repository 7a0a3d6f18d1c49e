import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { routeOf, type Method, type Route, type RouteName } from './routes.ts';

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Who may call: a cookie session, an upload capability, either of them, or anyone. */
export type Access = 'anyone' | 'session' | 'upload-capability' | 'session-or-upload-capability';

/** What a non-JSON body or reply is. */
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
  /** Set where a request under an `Idempotency-Key` is done once, however often it arrives within a day. */
  isKeyed?: true;
  /** What each path parameter must look like where it is no id. */
  params?: Readonly<Record<string, z.ZodType<string>>>;
  /** Request headers beyond the ordinary ones, lower case. */
  headers?: z.ZodType;
  /** JSON body; unknown fields are refused. */
  body?: Body;
  /** The largest JSON body in bytes, where it is not the ordinary one. */
  largestBodyBytes?: number;
  /** Set instead of `body` where bytes are sent; its media type. */
  bodyMediaType?: string;
  /** JSON reply; absent where nothing (204) or `replyKind` is sent. */
  reply?: Reply;
  replyKind?: BinaryKind;
  /**
   * What the bytes of a reply may be, media ranges included (RFC 9110 §12.5.1); `application/octet-stream`
   * where absent.
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

/** Declares one HTTP call once; the server mounts it, the browser calls it, the API reference prints it. */
export const endpoint = <
  const Name extends RouteName,
  const E extends Omit<Endpoint<Route<Name>['path']>, 'method' | 'path'>,
>(
  name: Name,
  definition: E,
): E & Route<Name> => ({ ...routeOf(name), ...definition });
