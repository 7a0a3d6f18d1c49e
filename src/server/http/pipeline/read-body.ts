import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { ProblemError } from '#server/http/problem.ts';

const essence = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const hasBody = (request: FastifyRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0';

/** The largest body an endpoint takes, in bytes. */
export const bodyLimitOf = (endpoint: Endpoint): number =>
  endpoint.largestBodyBytes ??
  (endpoint.bodyMediaType === undefined ? serverLimits.jsonBodySizeBytes : limits.appendSizeBytes);

/**
 * Bodies arrive as plain bytes whatever their type; what they mean is the endpoint's business, not a
 * parser's.
 */
export function acceptBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

/**
 * Refuses, by its headers alone, a body that the endpoint would not take: unsupported-media-type (415),
 * too-large (413).
 */
export function rejectForeignBody(request: FastifyRequest, endpoint: Endpoint): void {
  const expected = endpoint.bodyMediaType ?? 'application/json';
  const wantsBody = endpoint.bodyMediaType !== undefined || endpoint.body !== undefined;
  if (!wantsBody && !hasBody(request)) return;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (essence(request.headers['content-type']) !== expected || encoding !== 'identity')
    throw new ProblemError('unsupported-media-type');
  if (Number(request.headers['content-length'] ?? 0) > bodyLimitOf(endpoint))
    throw new ProblemError('too-large');
}

/** Deeper than any body of the contract; what walks a body afterwards may call itself once for each level. */
const deepestJson = 32;

/** What each bracket does to the depth, by its byte. */
const depthSteps = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);
const [quote, backslash] = Buffer.from('"\\');

/** The place of the quotation mark that ends the string which begins at `at`. */
function endOfString(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return end;
}

/** Whether arrays and objects are nested too deep, counted outside of strings. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = endOfString(bytes, at);
    else depth += depthSteps.get(byte) ?? 0;
    if (depth > deepestJson) return true;
  }
  return false;
}

/**
 * Reads UTF-8 JSON (RFC 8259 §8.1); malformed-request (400) for anything else, and for what is nested deeper
 * than any body of the contract.
 */
export function parseJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) throw new ProblemError('malformed-request');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    throw new ProblemError('malformed-request', { cause });
  }
}
