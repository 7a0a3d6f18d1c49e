import { ProviderError, type ProviderDeps } from './provider.ts';
import type { ClientProof, TokenRequest } from './client-proof.ts';
import { isClientRejection, isCodeRejection, readRejection } from './token-rejection.ts';

type Fetch = ProviderDeps['fetch'];

/**
 * A token endpoint's response. `proof` tells whether it shows that the client was accepted or rejected, or
 * neither.
 */
interface Answer {
  response: Response;
  proof: 'accepted' | 'rejected' | 'unknown';
  message: string;
}

/** Returns the request if it redeems a code, otherwise null. */
function tokenRequestOf(init: RequestInit | undefined): TokenRequest | null {
  if (init?.method !== 'POST' || !(typeof init.body === 'string' || init.body instanceof URLSearchParams))
    return null;
  const form = new URLSearchParams(init.body);
  return form.get('grant_type') === 'authorization_code'
    ? { headers: new Headers(init.headers), form }
    : null;
}

/** GitHub reports errors with status 200, and Facebook with its own codes. Converts both to RFC 6749 §5.2. */
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
 * Wraps `fetch`. If the client authentication of a token request is rejected, sends the request again with the
 * other method and the same code, because a provider authenticates the client before it uses the code (RFC 6749
 * §3.2.1).
 * @throws ProviderError `set-up` with the messages of both responses if neither method is accepted
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
