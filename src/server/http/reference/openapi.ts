import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type ErrorCode, errorStatus, problemSchema } from '#contract/errors.ts';
import { type JsonSchema, SchemaPrinter } from './schemas.ts';

const security = {
  anyone: [],
  session: [{ session: [] }],
  'upload-capability': [{ uploadCapability: [] }, { uploadCapabilityBearer: [] }],
  'session-or-upload-capability': [{ session: [] }, { uploadCapability: [] }, { uploadCapabilityBearer: [] }],
  // The token is a path parameter, which OpenAPI does not describe as a security scheme.
  share: [],
  'share-locked': [],
  'share-outsider': [],
} as const;

/** Problems of any share's token. Those of a session occur at shares for users with an account. */
const shareErrors: ErrorCode[] = [
  'link-not-found',
  'share-ended',
  'share-not-for-you',
  'session-required',
  'session-expired',
  'principal-changed',
  'rate-limited',
];

const accessErrors: Record<Endpoint['access'], ErrorCode[]> = {
  anyone: [],
  session: ['rate-limited', 'session-required', 'session-expired', 'principal-changed'],
  'upload-capability': ['upload-token-invalid'],
  'session-or-upload-capability': [
    'rate-limited',
    'session-required',
    'session-expired',
    'principal-changed',
    'upload-token-invalid',
    'forbidden',
  ],
  share: [...shareErrors, 'share-password-required', 'share-not-started'],
  'share-locked': shareErrors,
  'share-outsider': shareErrors,
};

/** Problems that can occur on any request, before or after its endpoint is known. */
const commonErrors: readonly ErrorCode[] = [
  'misdirected-request',
  'headers-too-large',
  'internal',
  'overloaded',
  'unavailable',
];
const writeErrors: readonly ErrorCode[] = [
  'cross-site',
  'too-large',
  'unsupported-media-type',
  'malformed-request',
  'request-timeout',
];

const isRead = ({ method }: Endpoint): boolean => method === 'GET' || method === 'HEAD';
const takesBody = (endpoint: Endpoint): boolean =>
  endpoint.body !== undefined || endpoint.bodyMediaType !== undefined;

/** Returns the problems that a request's parts can cause. */
function partErrors(endpoint: Endpoint): ErrorCode[] {
  const isValidated = takesBody(endpoint) || endpoint.query !== undefined || endpoint.method === 'PUT';
  return [
    ...(endpoint.path.includes(':') ? (['not-found'] as const) : []),
    ...(isValidated ? (['validation'] as const) : []),
  ];
}

/** Returns every problem that an endpoint may respond with, including those of the pipeline. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...endpoint.errors,
      ...accessErrors[endpoint.access],
      ...(endpoint.isKeyed ? (['idempotency-conflict', 'idempotency-mismatch', 'validation'] as const) : []),
      ...(isRead(endpoint) ? [] : writeErrors),
      ...partErrors(endpoint),
      ...commonErrors,
    ]),
  ].sort((a, b) => errorStatus[a] - errorStatus[b]);
}

function parametersOf(endpoint: Endpoint, printer: SchemaPrinter): JsonSchema[] {
  const schemaOf = (name: string): JsonSchema =>
    endpoint.params?.[name]
      ? printer.print(endpoint.params[name], 'input')
      : { type: 'string', format: 'uuid' };
  const fromPath = [...endpoint.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(name),
  }));
  const from = (schema: z.ZodType | undefined, place: 'query' | 'header'): JsonSchema[] => {
    const printed = schema ? printer.print(schema, 'input') : {};
    const required = z.array(z.string()).catch([]).parse(printed['required']);
    const properties = z.record(z.string(), z.unknown()).catch({}).parse(printed['properties']);
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: place,
      required: required.includes(name),
      schema: property,
    }));
  };
  return [...fromPath, ...from(endpoint.query, 'query'), ...from(endpoint.headers, 'header')];
}

function bodyOf(endpoint: Endpoint, printer: SchemaPrinter): JsonSchema {
  if (endpoint.body)
    return {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: printer.print(endpoint.body, 'input') } },
      },
    };
  if (endpoint.bodyMediaType)
    return {
      requestBody: {
        required: true,
        content: { [endpoint.bodyMediaType]: { schema: { type: 'string', format: 'binary' } } },
      },
    };
  return {};
}

function replyContent(endpoint: Endpoint, printer: SchemaPrinter): JsonSchema {
  if (endpoint.replyKind === 'event-stream') return { 'text/event-stream': { schema: { type: 'string' } } };
  if (endpoint.replyKind === 'bytes')
    return Object.fromEntries(
      (endpoint.replyMediaTypes ?? ['application/octet-stream']).map((mediaType) => [
        mediaType,
        { schema: { type: 'string', format: 'binary' } },
      ]),
    );
  return endpoint.reply ? { 'application/json': { schema: printer.print(endpoint.reply, 'output') } } : {};
}

function responsesOf(endpoint: Endpoint, printer: SchemaPrinter): JsonSchema {
  const content = replyContent(endpoint, printer);
  const successes = endpoint.statuses.map(
    (status) =>
      [
        String(status),
        {
          description: STATUS_CODES[status] ?? '',
          ...(status === 204 || status === 304 || Object.keys(content).length === 0 ? {} : { content }),
        },
      ] as const,
  );
  const codes = Map.groupBy(errorsOf(endpoint), (code) => errorStatus[code]);
  const problem = printer.print(problemSchema, 'output');
  const failures = [...codes].map(
    ([status, list]) =>
      [
        String(status),
        {
          description: list.join(', '),
          content: {
            'application/problem+json': {
              schema: { allOf: [problem, { properties: { code: { enum: list } } }] },
            },
          },
        },
      ] as const,
  );
  return Object.fromEntries([...successes, ...failures]);
}

const tagOf = ({ path }: Endpoint): string => {
  if (path.startsWith('/auth') || path === '/api/profile') return 'Accounts';
  if (path.includes('/markers')) return 'Markers';
  const first = path.split('/')[2] ?? 'api';
  return first.charAt(0).toUpperCase() + first.slice(1);
};

export interface Operation {
  operationId: string;
  tag: string;
  endpoint: Endpoint;
  path: string;
  description: JsonSchema;
}

/** Describes every endpoint of the contract once. */
export function describeOperations(printer: SchemaPrinter): Operation[] {
  return Object.entries(api).map(([operationId, endpoint]) => {
    const tag = tagOf(endpoint);
    return {
      operationId,
      tag,
      endpoint,
      path: endpoint.path.replace(/:([A-Za-z]+)/g, '{$1}'),
      description: {
        operationId,
        summary: endpoint.summary,
        tags: [tag],
        security: security[endpoint.access],
        parameters: parametersOf(endpoint, printer),
        ...bodyOf(endpoint, printer),
        responses: responsesOf(endpoint, printer),
      },
    };
  });
}

/**
 * Returns the OpenAPI 3.1 document of the whole contract, generated from the schemas that client and server use.
 */
export function openApiDocument(options: { version: string; cookieName: string }): JsonSchema {
  const printer = new SchemaPrinter();
  const paths: Record<string, JsonSchema> = {};
  for (const { path, endpoint, description } of describeOperations(printer))
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: description };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version: options.version,
      description:
        'Records speech, keeps every second of it, plays it back at once. Errors are RFC 9457 problems with a permanent code.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: printer.components,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: options.cookieName,
          description: 'Set by signing in. Writes also need the header X-Requested-With.',
        },
        uploadCapability: {
          type: 'apiKey',
          in: 'header',
          name: 'Upload-Capability',
          description:
            'The token that registering a recording answers with. It decides alone: a session beside it adds no right.',
        },
        uploadCapabilityBearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same token, where no proxy in front needs the header Authorization.',
        },
      },
    },
  };
}
