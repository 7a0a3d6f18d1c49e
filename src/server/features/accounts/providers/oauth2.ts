import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  Configuration,
  customFetch,
  fetchProtectedResource,
} from 'openid-client';
import { second } from '#base/duration.ts';
import type { ProviderKind } from '#contract/providers-api.ts';
import { secretProof, type ClientProof } from './client-proof.ts';
import { tokenRequests } from './token-requests.ts';
import { checkOauth2 } from './check-provider.ts';
import {
  ProviderError,
  type AuthorizationRequest,
  type CodeExchange,
  type ProviderDeps,
  type ProviderProfile,
  type SignInProvider,
} from './provider.ts';
import {
  asCustomFetch,
  isPassingStatus,
  providerTimeoutMs,
  testSecrets,
  translated,
} from './provider-network.ts';

/** Fetches a JSON resource of the provider's API with the access token just granted. */
export type ReadResource = (url: string, headers?: Record<string, string>) => Promise<unknown>;

export interface Oauth2Options {
  id: string;
  name: string;
  kind: ProviderKind;
  /** The namespace of the subjects. OAuth 2 providers have no issuer, so we define one. */
  issuer: string;
  /** The `iss` of the provider's responses (RFC 9207), if it is known to send one. */
  answerIssuer?: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  parameters?: Record<string, string>;
  /** Added if the user must sign in again. */
  reauthenticationParameters?: Record<string, string>;
  profile: (read: ReadResource, accessToken: string) => Promise<ProviderProfile>;
}

function configurationOf(options: Oauth2Options, proof: ClientProof, deps: ProviderDeps): Configuration {
  const { issuer, authorizationEndpoint, tokenEndpoint } = options;
  const configuration = new Configuration(
    { issuer, authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint },
    options.clientId,
    {},
    proof.clientAuth,
  );
  configuration.timeout = providerTimeoutMs / second;
  configuration[customFetch] = asCustomFetch(tokenRequests(proof, deps.fetch));
  return configuration;
}

/** A token that was just granted but may not read the resource lacks a permission that only the operator can add. */
function reasonOfStatus(status: number): ProviderError['reason'] {
  if (isPassingStatus(status)) return 'unavailable';
  return status === 403 || status === 404 ? 'set-up' : 'rejected';
}

const readWith =
  (configuration: Configuration, accessToken: string): ReadResource =>
  async (url, headers = {}) => {
    const response = await fetchProtectedResource(
      configuration,
      accessToken,
      new URL(url),
      'GET',
      null,
      new Headers({ accept: 'application/json', ...headers }),
    );
    if (!response.ok)
      throw new ProviderError(
        reasonOfStatus(response.status),
        `${new URL(url).pathname} answered ${response.status}`,
      );
    return response.json();
  };

/**
 * Without `iss` (RFC 9207), the redirect URI, which is unique per provider, tells responses of different providers
 * apart.
 */
async function accessTokenOf(configuration: Configuration, exchange: CodeExchange): Promise<string> {
  const answer = new URL(exchange.redirectUri);
  answer.searchParams.set('code', exchange.code);
  answer.searchParams.set('state', exchange.state);
  const tokens = await authorizationCodeGrant(configuration, answer, {
    expectedState: exchange.state,
    pkceCodeVerifier: exchange.codeVerifier,
  });
  return tokens.access_token;
}

const authorizationUrl = async (
  options: Oauth2Options,
  configuration: Configuration,
  request: AuthorizationRequest,
): Promise<URL> =>
  buildAuthorizationUrl(configuration, {
    redirect_uri: request.redirectUri,
    scope: options.scope,
    state: request.state,
    ...options.parameters,
    code_challenge: await calculatePKCECodeChallenge(request.codeVerifier),
    code_challenge_method: 'S256',
    ...(request.isReauthentication ? options.reauthenticationParameters : {}),
  });

/** An OAuth 2 provider without OpenID Connect. Its API identifies the user. */
export function oauth2Provider(options: Oauth2Options, deps: ProviderDeps): SignInProvider {
  const proof = secretProof({
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    method: 'client_secret_post',
  });
  const configuration = configurationOf(options, proof, deps);
  return {
    id: options.id,
    name: options.name,
    kind: options.kind,
    issuer: options.issuer,
    clientId: options.clientId,
    owns: (issuer) => issuer === options.issuer,
    // OAuth 2 does not report when a user signed in.
    provesSignInTime: () => Promise.resolve(false),
    authorizationUrl: (request) => authorizationUrl(options, configuration, request),
    async identify(exchange) {
      const isOtherIssuer =
        options.answerIssuer !== undefined &&
        exchange.iss !== undefined &&
        exchange.iss !== options.answerIssuer;
      if (isOtherIssuer) throw new ProviderError('mix-up', 'the answer names another issuer');
      try {
        const accessToken = await accessTokenOf(configuration, exchange);
        return await options.profile(readWith(configuration, accessToken), accessToken);
      } catch (error) {
        throw translated(error, 'rejected');
      }
    },
    check: (redirectUri) =>
      checkOauth2({
        configuration,
        deps,
        proof,
        redirectUri,
        authorizationUrl: (found) =>
          authorizationUrl(options, found, { ...testSecrets(), redirectUri, isReauthentication: false }),
      }),
  };
}
