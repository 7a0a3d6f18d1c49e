import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { ProblemError } from '#server/http/problem.ts';
import { isOfShares } from './is-of-shares.ts';

const essence = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const hasBody = (request: FastifyRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0';

/** Returns whether a request was sent by a form. */
export const isForm = ({ headers }: FastifyRequest): boolean =>
  essence(headers['content-type']) === 'application/x-www-form-urlencoded';

/** Returns the largest body that an endpoint accepts, in bytes. */
export const bodyLimitOf = (endpoint: Endpoint): number =>
  endpoint.maxBodyBytes ??
  (endpoint.bodyMediaType === undefined ? serverLimits.jsonBodySizeBytes : limits.appendSizeBytes);

/** Makes every body arrive as plain bytes, whatever its type; the endpoint interprets it, not a parser. */
export function acceptBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

const wantsBody = ({ bodyMediaType, body }: Endpoint): boolean =>
  bodyMediaType !== undefined || body !== undefined;

/** Whether an endpoint accepts a body of this type. Elsewhere than at a link's address, a client may send `{}`. */
function isAccepted(request: FastifyRequest, endpoint: Endpoint): boolean {
  const { access, bodyMediaType = 'application/json' } = endpoint;
  // The bearer of a link who sends a body slowly would use a right that has ended when the body is complete.
  if (!wantsBody(endpoint) && isOfShares(access)) return false;
  return (
    essence(request.headers['content-type']) === bodyMediaType ||
    (endpoint.isForm === true && isForm(request))
  );
}

/**
 * Rejects a body that the endpoint does not accept, from its headers alone.
 * @throws unsupported-media-type (415), too-large (413)
 */
export function rejectForeignBody(request: FastifyRequest, endpoint: Endpoint): void {
  if (!wantsBody(endpoint) && !hasBody(request)) return;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (!isAccepted(request, endpoint) || encoding !== 'identity')
    throw new ProblemError('unsupported-media-type');
  if (Number(request.headers['content-length'] ?? 0) > bodyLimitOf(endpoint))
    throw new ProblemError('too-large');
}

/** Deeper than any body of the contract, and shallow enough for recursive functions. */
const deepestJson = 32;

/** The change of depth for each bracket, by byte. */
const depthSteps = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);
const [quote, backslash] = Buffer.from('"\\');

/** Returns the index of the quotation mark that ends the string starting at `at`. */
function endOfString(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return end;
}

/** Returns whether arrays and objects are nested too deeply, ignoring brackets in strings. */
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
 * Parses UTF-8 JSON (RFC 8259 §8.1).
 * @throws malformed-request (400) for anything else, and for deeper nesting than any body of the contract has
 */
export function parseJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) throw new ProblemError('malformed-request');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    throw new ProblemError('malformed-request', { cause });
  }
}

/** Returns the fields of a form (WHATWG URL §5.1), of repeated ones the last. */
export const parseForm = (bytes: Buffer): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
