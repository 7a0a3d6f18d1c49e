import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientError,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type Configuration,
  type ServerMetadata,
} from 'openid-client';
import { z } from 'zod';
import { day, minute, second } from '#base/duration.ts';
import type { ProviderKind } from '#contract/providers-api.ts';
import type { ClientProof } from './client-proof.ts';
import { metadataFaults } from './metadata-faults.ts';
import { tokenRequests } from './token-requests.ts';
import type { SignInNeeds } from './check-metadata.ts';
import { checkOidc } from './check-provider.ts';
import {
  ProviderError,
  type AuthorizationRequest,
  type CodeExchange,
  type ProviderDeps,
  type ProviderProfile,
  type SignInProvider,
} from './provider.ts';
import { asCustomFetch, providerTimeoutMs, testSecrets, translated } from './provider-network.ts';
import { issuerMismatch } from './permanent-faults.ts';

const toleranceMs = minute;
const discoveryCacheMs = day;

/**
 * Claims of an ID token or UserInfo response (OpenID Connect Core §5.1). Providers deviate from the specified
 * types.
 */
const claimsSchema = z.looseObject({
  iss: z.string().optional(),
  sub: z.string().min(1).max(255),
  iat: z.number().optional(),
  name: z.string().optional().catch(undefined),
  given_name: z.string().optional().catch(undefined),
  family_name: z.string().optional().catch(undefined),
  nickname: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  email_verified: z.unknown().optional(),
});
export type Claims = z.output<typeof claimsSchema>;

/**
 * The display name in the claims. Some issuers send only parts of the name, or only a nickname (OpenID Connect
 * Core §5.1).
 */
export function displayNameIn({
  name,
  given_name: given,
  family_name: family,
  nickname,
}: Claims): string | null {
  return (
    [name, [given, family].filter(Boolean).join(' '), nickname].find(
      (candidate) => candidate !== undefined && candidate.trim() !== '',
    ) ?? null
  );
}

export interface OidcOptions {
  id: string;
  name: string;
  kind: ProviderKind;
  /** Where discovery starts. Also the issuer, unless `owns` says otherwise. */
  issuer: string;
  clientId: string;
  proof: ClientProof;
  scope: string;
  /** Extra parameters of the authorization request. */
  parameters?: Record<string, string>;
  /** False for a provider that rejects PKCE, or omits the nonce from its ID tokens. */
  usesPkce?: boolean;
  usesNonce?: boolean;
  /** False if `iss` in the response is not the issuer from discovery. */
  checksIss?: boolean;
  /** Whether to request claims missing from the ID token from UserInfo. */
  fetchesUserInfo?: boolean;
  fetch?: ProviderDeps['fetch'];
  owns?: (issuer: string) => boolean;
  profile: (claims: Claims, user: string | undefined) => ProviderProfile;
}

type Discovery = (issuer: URL) => Promise<Configuration>;

/** Strips the trailing slash, to compare URLs that may differ by it. */
export const withoutSlash = (address: string): string =>
  (URL.parse(address)?.href ?? address).replace(/\/$/, '');

/**
 * Discovers an issuer. If the issuer's own name differs from the configured one only by a trailing slash,
 * discovers it again under its own name, against which responses and tokens are then checked. Any other difference
 * is rejected (OpenID Connect Discovery §4.3).
 */
async function discoverIssuer(configured: string, discover: Discovery): Promise<Configuration> {
  try {
    return await discover(new URL(configured));
  } catch (error) {
    const found = issuerMismatch(error)?.found;
    if (found === undefined || withoutSlash(found) !== withoutSlash(configured)) throw error;
    return discover(new URL(found));
  }
}

const isPlainHttp = (issuer: string): boolean => issuer.startsWith('http:');

function discover(options: OidcOptions, deps: ProviderDeps): Promise<Configuration> {
  const network = asCustomFetch(tokenRequests(options.proof, options.fetch ?? deps.fetch));
  return discoverIssuer(options.issuer, (issuer) =>
    discovery(
      issuer,
      options.clientId,
      { [clockTolerance]: toleranceMs / second },
      options.proof.clientAuth,
      {
        // Without the signature check, only TLS to the token endpoint would authenticate an ID token.
        execute: [
          enableNonRepudiationChecks,
          ...(isPlainHttp(options.issuer) ? [allowInsecureRequests] : []),
        ],
        timeout: providerTimeoutMs / second,
        [customFetch]: network,
      },
    ),
  );
}

/** Rejects a discovery document that makes sign-in impossible, before a user is sent to the provider. */
async function discoverUsable(options: OidcOptions, deps: ProviderDeps): Promise<Configuration> {
  const found = await discover(options, deps).catch((error: unknown) => {
    throw translated(error, 'set-up');
  });
  const faults = metadataFaults(found.serverMetadata());
  if (faults.length > 0) throw new ProviderError('set-up', faults.map(({ message }) => message).join('; '));
  return found;
}

/**
 * The discovered configuration. It is loaded on first use and cached for a day, so that this server can start
 * while a provider is down.
 */
interface LazyConfiguration {
  get(): Promise<Configuration>;
  forget(): void;
}

function lazyConfiguration(options: OidcOptions, deps: ProviderDeps): LazyConfiguration {
  let cached: { configuration: Promise<Configuration>; untilMs: number } | null = null;
  return {
    get() {
      if (cached !== null && deps.clock.nowMs() < cached.untilMs) return cached.configuration;
      const configuration = discoverUsable(options, deps);
      const entry = { configuration, untilMs: deps.clock.nowMs() + discoveryCacheMs };
      cached = entry;
      configuration.catch(() => {
        if (cached === entry) cached = null;
      });
      return configuration;
    },
    forget() {
      cached = null;
    },
  };
}

/** RFC 9207 §2.4: rejects a response from another issuer (mix-up attack) before the code is sent anywhere. */
function rejectOtherIssuer(metadata: ServerMetadata, iss: string | undefined): void {
  const isMissing = iss === undefined && metadata.authorization_response_iss_parameter_supported === true;
  if (isMissing || (iss !== undefined && iss !== metadata.issuer))
    throw new ProviderError('mix-up', 'the answer names another issuer');
}

/**
 * Checks what the library doesn't: no token issued in the future. The library accepts further audiences only if the
 * authorized party (`azp`) is this client (OpenID Connect Core §3.1.3.7, rules 3 to 5).
 */
function checkedClaims(claims: unknown, nowMs: number): Claims {
  const parsed = claimsSchema.safeParse(claims);
  if (!parsed.success)
    throw new ProviderError('rejected', 'the ID token lacks what identifies a user', parsed.error);
  if ((parsed.data.iat ?? 0) * second > nowMs + toleranceMs)
    throw new ProviderError('clock', 'the ID token is from the future');
  return parsed.data;
}

/** The library expects the response as a URL with its parameters. */
function answerUrl(options: OidcOptions, { redirectUri, code, state, iss }: CodeExchange): URL {
  const answer = new URL(redirectUri);
  answer.searchParams.set('code', code);
  answer.searchParams.set('state', state);
  if (options.checksIss !== false && iss !== undefined) answer.searchParams.set('iss', iss);
  return answer;
}

/** Whether UserInfo describes another user than the ID token, which is an attack (OpenID Connect Core §5.3.4). */
const isOtherUser = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/**
 * Adds claims missing from the ID token. `email` and `email_verified` always come from the same source. The ID token
 * alone proves who the user is, so UserInfo that can't be read leaves the claims as they are.
 */
async function completed(
  configuration: Configuration,
  claims: Claims,
  accessToken: string,
): Promise<{ claims: Claims; warning?: string }> {
  const isComplete = claims.email !== undefined && claims.name !== undefined;
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return { claims };
  try {
    const info = claimsSchema.parse(await fetchUserInfo(configuration, accessToken, claims.sub));
    const { email, email_verified } = claims.email === undefined ? info : claims;
    return { claims: { ...info, ...claims, name: claims.name ?? info.name, email, email_verified } };
  } catch (error) {
    if (isOtherUser(error)) throw error;
    return { claims, warning: `UserInfo could not be read: ${translated(error, 'rejected').message}` };
  }
}

async function claimsOf(
  options: OidcOptions,
  configuration: Configuration,
  exchange: CodeExchange & { nowMs: number },
): Promise<{ claims: Claims; warning?: string }> {
  const tokens = await authorizationCodeGrant(configuration, answerUrl(options, exchange), {
    expectedState: exchange.state,
    idTokenExpected: true,
    ...(options.usesPkce === false ? {} : { pkceCodeVerifier: exchange.codeVerifier }),
    ...(options.usesNonce === false ? {} : { expectedNonce: exchange.nonce }),
    ...(wantsMaxAge(configuration, exchange) ? { maxAge: 0 } : {}),
  });
  const claims = checkedClaims(tokens.claims(), exchange.nowMs);
  return options.fetchesUserInfo === true
    ? completed(configuration, claims, tokens.access_token)
    : { claims };
}

/** Only an issuer that reports when a user signed in can be required to authenticate the user again. */
const reportsSignInTime = (configuration: Configuration): boolean =>
  configuration.serverMetadata().claims_supported?.includes('auth_time') === true;
const wantsMaxAge = (configuration: Configuration, request: AuthorizationRequest): boolean =>
  request.isReauthentication && reportsSignInTime(configuration);

async function authorizationUrl(
  options: OidcOptions,
  configuration: Configuration,
  request: AuthorizationRequest,
): Promise<URL> {
  return buildAuthorizationUrl(configuration, {
    redirect_uri: request.redirectUri,
    scope: options.scope,
    state: request.state,
    ...options.parameters,
    ...(options.usesNonce === false ? {} : { nonce: request.nonce }),
    ...(options.usesPkce === false
      ? {}
      : {
          code_challenge: await calculatePKCECodeChallenge(request.codeVerifier),
          code_challenge_method: 'S256',
        }),
    ...(request.isReauthentication ? { prompt: 'login' } : {}),
    ...(wantsMaxAge(configuration, request) ? { max_age: '0' } : {}),
  });
}

/**
 * Redeems the code. After a configuration error the discovery document is loaded again on the next use, because it
 * may have been corrected.
 */
async function identify(
  options: OidcOptions,
  lazy: LazyConfiguration,
  exchange: CodeExchange & { nowMs: number },
): Promise<ProviderProfile> {
  const found = await lazy.get();
  if (options.checksIss !== false) rejectOtherIssuer(found.serverMetadata(), exchange.iss);
  try {
    const { claims, ...rest } = await claimsOf(options, found, exchange);
    return { ...options.profile(claims, exchange.user), ...rest };
  } catch (error) {
    const failure = translated(error, 'rejected');
    if (failure.reason === 'set-up') lazy.forget();
    throw failure;
  }
}

const needsOf = (options: OidcOptions): SignInNeeds => ({
  scope: options.scope,
  responseMode: options.parameters?.['response_mode'] ?? 'query',
  usesPkce: options.usesPkce !== false,
});

/** An OpenID Connect provider. `options` has the differences between providers. */
export function oidcProvider(options: OidcOptions, deps: ProviderDeps): SignInProvider {
  const lazy = lazyConfiguration(options, deps);
  return {
    id: options.id,
    name: options.name,
    kind: options.kind,
    issuer: options.issuer,
    clientId: options.clientId,
    owns: options.owns ?? ((issuer) => issuer === options.issuer),
    async provesSignInTime() {
      return reportsSignInTime(await lazy.get());
    },
    async authorizationUrl(request) {
      const found = await lazy.get();
      return authorizationUrl(options, found, request).catch((error: unknown) => {
        throw translated(error, 'set-up');
      });
    },
    identify: (exchange) => identify(options, lazy, { ...exchange, nowMs: deps.clock.nowMs() }),
    check: (redirectUri) =>
      checkOidc({
        configuration: (fetch) => discover({ ...options, fetch }, deps),
        deps: { ...deps, fetch: options.fetch ?? deps.fetch },
        proof: options.proof,
        redirectUri,
        issuer: options.checksIss === false ? null : options.issuer,
        needs: needsOf(options),
        authorizationUrl: (found) =>
          authorizationUrl(options, found, { ...testSecrets(), redirectUri, isReauthentication: false }),
      }),
  };
}
