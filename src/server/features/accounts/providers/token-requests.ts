import { ProviderError, type ProviderDeps } from './provider.ts';
import type { ClientProof, TokenRequest } from './client-proof.ts';
import { isClientRejection, isCodeRejection, readRejection } from './token-rejection.ts';

type Fetch = ProviderDeps['fetch'];

/**
 * What a token endpoint answered. `proof`: whether that shows that it accepts the client, refuses it, or
 * neither.
 */
interface Answer {
  response: Response;
  proof: 'accepted' | 'rejected' | 'unknown';
  message: string;
}

/** The request, where it is one that redeems a code. */
function tokenRequestOf(init: RequestInit | undefined): TokenRequest | null {
  if (init?.method !== 'POST' || !(typeof init.body === 'string' || init.body instanceof URLSearchParams))
    return null;
  const form = new URLSearchParams(init.body);
  return form.get('grant_type') === 'authorization_code'
    ? { headers: new Headers(init.headers), form }
    : null;
}

/**
 * GitHub refuses with status 200, and Facebook with codes of its own: both become what RFC 6749 §5.2 says.
 */
async function readAnswer(response: Response): Promise<Answer> {
  const rejection = readRejection(await response.clone().text());
  const message = rejection?.message ?? `status ${response.status}`;
  const status = rejection !== null && response.ok ? 400 : response.status;
  const proof = isClientRejection(status, rejection)
    ? 'rejected'
    : (rejection === null ? response.ok : isCodeRejection(rejection))
      ? 'accepted'
      : 'unknown';
  return {
    response:
      rejection === null
        ? response
        : Response.json({ error: rejection.error, error_description: message }, { status }),
    proof,
    message,
  };
}

async function send(
  fetch: Fetch,
  { url, init, request }: { url: string; init: RequestInit | undefined; request: TokenRequest },
): Promise<Answer> {
  return readAnswer(await fetch(url, { ...init, headers: request.headers, body: request.form.toString() }));
}

/**
 * The network, in which a token request whose client authentication is refused is sent once more by the other
 * method, with the same code: a provider identifies the client before it looks at the code (RFC 6749 §3.2.1).
 * Throws ProviderError `set-up` where no method is accepted, with the words of both answers.
 */
export const tokenRequests =
  (proof: ClientProof, fetch: Fetch): Fetch =>
  async (url, init) => {
    const request = tokenRequestOf(init);
    if (request === null) return fetch(url, init);
    const first = await send(fetch, { url, init, request });
    if (first.proof === 'accepted') proof.accept(request);
    if (first.proof !== 'rejected') return first.response;
    const rejection = `${proof.methodOf(request)}: ${first.message}`;
    const other = proof.alternativeTo(request);
    if (other === null) throw new ProviderError('set-up', `the provider refuses our client (${rejection})`);
    const second = await send(fetch, { url, init, request: other });
    if (second.proof === 'accepted') proof.accept(other);
    else if (second.response.status < 500)
      throw new ProviderError(
        'set-up',
        `the provider refuses our client (${rejection}; ${proof.methodOf(other)}: ${second.message})`,
      );
    return second.response;
  };
