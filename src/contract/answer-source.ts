/**
 * What a response is that Earshot's server did not write:
 * `gate` something in front wants a sign-in, or refuses the request: a reverse proxy, an access gateway, a
 * captive portal, a firewall · `unreachable` something in front does not reach the server · `other` something
 * in front refuses this one request, for example for its size.
 */
export type ForeignAnswer = 'gate' | 'unreachable' | 'other';

/** Who wrote a response to a call. `code` is the problem's, null where the response is no problem. */
export type AnswerSource =
  | { from: 'earshot'; code: string | null }
  | { from: 'elsewhere'; kind: ForeignAnswer };

/** What is read of a response: browsers' `Response`, which the contract's library does not know. */
interface Answer {
  readonly type: string;
  readonly status: number;
  readonly redirected: boolean;
  readonly headers: { get: (name: string) => string | null };
  readonly clone: () => { text: () => Promise<string> };
}

const problemType = 'application/problem+json';
/** What no call of the contract answers with: pages and texts for a person to read. */
const pageTypes: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml', 'text/plain']);
const notModified = 304;

/** 511: Network Authentication Required (RFC 6585 §6), of captive portals. */
const gateStatuses: ReadonlySet<number> = new Set([401, 403, 407, 511]);
/** Proxies answer these for a server that they do not find. */
const missingStatuses: ReadonlySet<number> = new Set([404, 410, 421]);

const ours = (code: string | null): AnswerSource => ({ from: 'earshot', code });
const foreign = (kind: ForeignAnswer): AnswerSource => ({ from: 'elsewhere', kind });

/** The media type of a response without its parameters, in lower case; empty where it states none. */
export const mediaTypeOf = (response: Pick<Answer, 'headers'>): string =>
  response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The server never redirects a call, so a redirect leads to a sign-in. */
const isRedirect = ({ type, status, redirected }: Answer): boolean =>
  type === 'opaqueredirect' || redirected || (status >= 300 && status < 400 && status !== notModified);

/**
 * The code of a problem document of Earshot's; null for any other body. Other servers send problem documents
 * as well (RFC 9457), but not with these members.
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
  // A response to HEAD has the type of its problem, and no body.
  if (text === '') return ours(null);
  const code = problemCode(text);
  return code === null ? foreignError(response.status) : ours(code);
}

/**
 * Finds out who wrote the response to a call of the contract; leaves the body unread. Everything that reads
 * 401, 403, 404 or HTML asks here first: what is not ours says nothing about a session, an account or a
 * recording.
 * @param response of a `fetch` with `redirect: 'manual'`
 */
export async function sourceOfAnswer(response: Answer): Promise<AnswerSource> {
  if (isRedirect(response)) return foreign('gate');
  if (response.status >= 400) return sourceOfError(response);
  return pageTypes.has(mediaTypeOf(response)) ? foreign('gate') : ours(null);
}
