import { ClientSecretBasic, ClientSecretPost, type ClientAuth } from 'openid-client';

/** The two standard ways to send a client secret (RFC 6749 §2.3.1), by their registered names. */
export const secretMethods = ['client_secret_post', 'client_secret_basic'] as const;
export type SecretMethod = (typeof secretMethods)[number];

/** The headers and the form of a request to a token endpoint. */
export interface TokenRequest {
  headers: Headers;
  form: URLSearchParams;
}

/** How this server authenticates to a provider as its client. */
export interface ClientProof {
  /** Adds the credentials to a request; the OAuth library calls it. */
  readonly clientAuth: ClientAuth;
  /** The authentication method of a request, for the log and administrators. */
  methodOf(request: TokenRequest): string;
  /** The same request with the other method; null if only one is allowed. */
  alternativeTo(request: TokenRequest): TokenRequest | null;
  /** Remembers that the provider accepted the method of this request. */
  accept(request: TokenRequest): void;
}

/** A single authentication method, such as Apple's signed token. */
export const fixedProof = (method: string, clientAuth: ClientAuth): ClientProof => ({
  clientAuth,
  methodOf: () => method,
  alternativeTo: () => null,
  accept: () => undefined,
});

const methodOf = ({ headers }: TokenRequest): SecretMethod =>
  headers.has('authorization') ? 'client_secret_basic' : 'client_secret_post';

/**
 * Without a list, providers support `client_secret_basic` by default (OpenID Connect Discovery §3). Lists are
 * sometimes wrong, so `alternativeTo` still allows the other method.
 */
function preferred(listed: readonly string[] | undefined): SecretMethod {
  if (listed === undefined) return 'client_secret_basic';
  return secretMethods.find((method) => listed.includes(method)) ?? 'client_secret_post';
}

/**
 * Authenticates the client by its secret. Without `method`, the provider's metadata selects the method, and the
 * accepted one is remembered until the server stops.
 */
export function secretProof({
  clientId,
  clientSecret,
  method,
}: {
  clientId: string;
  clientSecret: string;
  method?: SecretMethod | undefined;
}): ClientProof {
  const auth: Record<SecretMethod, ClientAuth> = {
    client_secret_basic: ClientSecretBasic(clientSecret),
    client_secret_post: ClientSecretPost(clientSecret),
  };
  let accepted = method;
  return {
    clientAuth: (...request) =>
      auth[accepted ?? preferred(request[0].token_endpoint_auth_methods_supported)](...request),
    methodOf,
    alternativeTo(request) {
      if (method !== undefined) return null;
      const headers = new Headers(request.headers);
      const form = new URLSearchParams(request.form);
      headers.delete('authorization');
      for (const name of ['client_id', 'client_secret']) form.delete(name);
      const other =
        methodOf(request) === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
      auth[other]({ issuer: '' }, { client_id: clientId }, form, headers);
      return { headers, form };
    },
    accept(request) {
      if (method === undefined) accepted = methodOf(request);
    },
  };
}
