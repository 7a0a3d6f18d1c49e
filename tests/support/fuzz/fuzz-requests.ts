import fc from 'fast-check';
import { z } from 'zod';
import { openApiDocument } from '#server/http/reference/openapi.ts';
import type { SchemaArbitraries } from './schema-arbitraries.ts';

const httpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  schema: z.unknown(),
});
const problemCodesSchema = z.object({
  properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }),
});
/** A response of an operation. A problem's schema lists its codes. */
const responseSchema = z.object({
  content: z
    .object({
      'application/problem+json': z.object({
        schema: z.object({ allOf: z.tuple([z.unknown(), problemCodesSchema]) }),
      }),
    })
    .partial()
    .optional(),
});
/** The problem codes that the document lists for a status of an operation. */
export const codesOf = (response: z.output<typeof responseSchema> | undefined): string[] =>
  response?.content?.['application/problem+json']?.schema.allOf[1].properties.code.enum ?? [];
const operationSchema = z.object({
  operationId: z.string(),
  parameters: z.array(parameterSchema),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
  responses: z.record(z.string(), responseSchema),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

export const document = openApiDocument({ version: '1.0.0', cookieName: 'sid' });
export const allOperations = Object.entries(documentSchema.parse(document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: httpMethod.parse(method.toUpperCase()),
    ...operation,
    [fc.toStringMethod]: () => operation.operationId,
  })),
);
/** All operations except the event stream, which never ends. */
export const operations = allOperations.filter(({ operationId }) => operationId !== 'getEvents');

/** Bodies nested deeper than any operation needs. */
const deepJson = fc
  .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"a":[', ']}']))
  .map(([depth, [open = '', close = '']]) => `${open.repeat(depth)}0${close.repeat(depth)}`);

type Operation = (typeof operations)[number];

/** Requests to one operation, mostly as the document describes it, by a sender of any kind. */
export function requestFor(operation: Operation, arbitraries: SchemaArbitraries) {
  const part = (place: 'path' | 'query' | 'header') =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === place)
          .map(({ name, schema }) => [name, arbitraries.of(schema, name).map(textOf)]),
      ),
      place === 'path' ? {} : { requiredKeys: [] },
    );
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [
    undefined,
    undefined,
  ];
  const json = arbitraries.of(content?.schema).map(jsonOf);
  const oddBody = fc.oneof(fc.string(), deepJson);
  const body =
    mediaType === undefined
      ? fc.option(fc.constant('{}'), { freq: 10 })
      : mediaType === 'application/json'
        ? fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: oddBody })
        : fc.string();
  return fc.record({
    operation: fc.constant(operation),
    path: part('path'),
    query: part('query'),
    header: part('header'),
    body,
    mediaType: fc.constant(mediaType ?? 'application/json'),
    who: fc.constantFrom(
      'nobody' as const,
      'member' as const,
      'member' as const,
      'admin' as const,
      'bearer' as const,
      'stranger' as const,
    ),
    key: fc.option(fc.constantFrom('k', 'l', 'no good key'), { freq: 6 }),
  });
}

const jsonOf = (value: unknown): string => String(JSON.stringify(value));
const textOf = (value: unknown): string => (typeof value === 'string' ? value : jsonOf(value));
const headerSafe = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

export type FuzzedRequest = ReturnType<typeof requestFor> extends fc.Arbitrary<infer Value> ? Value : never;

const hasPayload = ({ operation, body }: FuzzedRequest): boolean =>
  body !== null && operation.method !== 'GET' && operation.method !== 'HEAD';

/**
 * Encodes one path segment. Empty, `.` and `..` segments would change the path (WHATWG URL, "path state") and
 * become `x`.
 */
const segmentOf = (text: string): string =>
  /^\.{0,2}$/.test(text) ? 'x' : encodeURIComponent(text.toWellFormed());

export interface WireRequest {
  method: z.output<typeof httpMethod>;
  url: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  payload?: string;
}

/** The request as sent over HTTP, with the headers that identify its sender. */
export function wireRequest(sent: FuzzedRequest, sender: Record<string, string>): WireRequest {
  const { operation, path, query, header, body, mediaType, key } = sent;
  return {
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(String(path[name]))),
    query: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, String(value).toWellFormed()]),
    ),
    headers: {
      ...Object.fromEntries(Object.entries(header).map(([name, value]) => [name, headerSafe(String(value))])),
      ...sender,
      'sec-fetch-site': 'same-origin',
      'x-requested-with': 'earshot',
      ...(key === null ? {} : { 'idempotency-key': key }),
      ...(body === null ? {} : { 'content-type': mediaType }),
    },
    ...(hasPayload(sent) ? { payload: body ?? '' } : {}),
  };
}
