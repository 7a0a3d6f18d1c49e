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

/** Reads one JSON resource of the provider's API with the token just granted. */
export type ReadResource = (url: string, headers?: Record<string, string>) => Promise<unknown>;

export interface Oauth2Options {
  id: string;
  name: string;
  kind: ProviderKind;
  /** The namespace of its subjects; these providers have no issuer of their own making. */
  issuer: string;
  /** The `iss` of its answers (RFC 9207), where it is known to send one. */
  answerIssuer?: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  parameters?: Record<string, string>;
  /** Sent where a user has to sign in again. */
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

/**
 * A token that was just granted and may not read this lacks a permission, which only the operator can give.
 */
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
 * Where an answer names no issuer (RFC 9207), it is the redirect address, one for each provider, that tells
 * answers apart.
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

/** A provider that speaks OAuth 2 alone: who came is what its API says about the token's owner. */
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
