/**
 * Kinds of responses that Earshot's server did not write:
 * `gate` something in front requires a sign-in or rejects requests: a reverse proxy, an access gateway, a captive
 * portal, a firewall · `unreachable` something in front cannot reach the server · `other` something in front
 * rejects this request, for example for its size.
 */
export type ForeignAnswer = 'gate' | 'unreachable' | 'other';

/** Who wrote a response. `code` is that of the problem; null if the response is not a problem. */
export type AnswerSource =
  | { from: 'earshot'; code: string | null }
  | { from: 'elsewhere'; kind: ForeignAnswer };

/** The used part of the browser's `Response`, which the contract's library does not declare. */
interface Answer {
  readonly type: string;
  readonly status: number;
  readonly redirected: boolean;
  readonly headers: { get: (name: string) => string | null };
  readonly clone: () => { text: () => Promise<string> };
}

const problemType = 'application/problem+json';
/** Types that no endpoint of the contract returns: pages and texts for people. */
const pageTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', 'text/plain']);
const notModified = 304;

/** 511: Network Authentication Required (RFC 6585 §6), used by captive portals. */
const gateStatuses: ReadonlySet<number> = new Set([401, 403, 407, 511]);
/** Proxies return these if they cannot find the server. */
const missingStatuses: ReadonlySet<number> = new Set([404, 410, 421]);

const ours = (code: string | null): AnswerSource => ({ from: 'earshot', code });
const foreign = (kind: ForeignAnswer): AnswerSource => ({ from: 'elsewhere', kind });

/** The media type of a response without parameters, in lower case; empty if it has none. */
export const mediaTypeOf = (response: Pick<Answer, 'headers'>): string =>
  response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The server never redirects API requests, so a redirect leads to a sign-in. */
const isRedirect = ({ type, status, redirected }: Answer): boolean =>
  type === 'opaqueredirect' || redirected || (status >= 300 && status < 400 && status !== notModified);

/**
 * The code of an Earshot problem document; null for any other body. Other servers send problem documents as well
 * (RFC 9457), but without these members.
 */
function problemCode(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('code' in body) || !('instance' in body)) return null;
    const { code, instance } = body;
    return typeof code === 'string' && typeof instance === 'string' && instance.startsWith('urn:uuid:')
      ? code
      : null;
  } catch {
    return null;
  }
}

function foreignError(status: number): AnswerSource {
  if (gateStatuses.has(status)) return foreign('gate');
  return foreign(status >= 500 || missingStatuses.has(status) ? 'unreachable' : 'other');
}

async function sourceOfError(response: Answer): Promise<AnswerSource> {
  if (mediaTypeOf(response) !== problemType) return foreignError(response.status);
  const text = await response.clone().text();
  // A response to HEAD has the type of its problem, but no body.
  if (text === '') return ours(null);
  const code = problemCode(text);
  return code === null ? foreignError(response.status) : ours(code);
}

/**
 * Determines who wrote the response to an API request, without consuming the body. Code that interprets 401, 403,
 * 404 or HTML must call this first: a response of another server says nothing about a session, an account or a
 * recording.
 * @param response of a `fetch` with `redirect: 'manual'`
 */
export async function sourceOfAnswer(response: Answer): Promise<AnswerSource> {
  if (isRedirect(response)) return foreign('gate');
  if (response.status >= 400) return sourceOfError(response);
  return pageTypes.has(mediaTypeOf(response)) ? foreign('gate') : ours(null);
}
