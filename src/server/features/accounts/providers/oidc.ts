import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
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

/** What an ID token or UserInfo may say of a user (OpenID Connect Core §5.1); providers bend the types. */
const claimsSchema = z.looseObject({
  iss: z.string().optional(),
  sub: z.string().min(1).max(255),
  aud: z.union([z.string(), z.array(z.string()).length(1)]).optional(),
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
 * What a user is called: some issuers have the parts of a name and not the whole, or a nickname alone
 * (OpenID Connect Core §5.1).
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
  /** Where discovery begins; also the issuer, except where `owns` says otherwise. */
  issuer: string;
  clientId: string;
  proof: ClientProof;
  scope: string;
  /** What its authorization request has beyond the ordinary. */
  parameters?: Record<string, string>;
  /** False for a provider that refuses PKCE, or leaves the nonce out of its ID tokens. */
  usesPkce?: boolean;
  usesNonce?: boolean;
  /** False where `iss` in the answer is not the issuer of discovery. */
  checksIss?: boolean;
  /** Ask UserInfo for what the ID token leaves out. */
  fetchesUserInfo?: boolean;
  fetch?: ProviderDeps['fetch'];
  owns?: (issuer: string) => boolean;
  profile: (claims: Claims, user: string | undefined) => ProviderProfile;
}

type Discovery = (issuer: URL) => Promise<Configuration>;

/** An address without the slash at its end, for comparing two that may differ by it. */
export const withoutSlash = (address: string): string =>
  (URL.parse(address)?.href ?? address).replace(/\/$/, '');

/**
 * Discovers an issuer. One that writes itself with a slash more or less at the end than the operator did is
 * discovered once more under its own writing, which is then what its answers and tokens are held to. Any
 * other difference is refused (OpenID Connect Discovery §4.3).
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
        // Without the signature check, TLS to the token endpoint would be all that vouches for an ID token.
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

/**
 * A discovery document with which no sign-in can succeed is rejected before a user is sent to the provider.
 */
async function discoverUsable(options: OidcOptions, deps: ProviderDeps): Promise<Configuration> {
  const found = await discover(options, deps).catch((error: unknown) => {
    throw translated(error, 'set-up');
  });
  const faults = metadataFaults(found.serverMetadata());
  if (faults.length > 0) throw new ProviderError('set-up', faults.map(({ message }) => message).join('; '));
  return found;
}

/**
 * The configuration, read when it is first needed and kept for a day: a provider that is down does not keep
 * this server from starting.
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

/** RFC 9207 §2.4, before the code goes anywhere: an answer of another issuer is a mix-up. */
function rejectOtherIssuer(metadata: ServerMetadata, iss: string | undefined): void {
  const isMissing = iss === undefined && metadata.authorization_response_iss_parameter_supported === true;
  if (isMissing || (iss !== undefined && iss !== metadata.issuer))
    throw new ProviderError('mix-up', 'the answer names another issuer');
}

/** What the library leaves open: other audiences beside us, and tokens from the future. */
function checkedClaims(claims: unknown, nowMs: number): Claims {
  const parsed = claimsSchema.safeParse(claims);
  if (!parsed.success)
    throw new ProviderError(
      'rejected',
      'the ID token lacks what identifies, or has other audiences',
      parsed.error,
    );
  if ((parsed.data.iat ?? 0) * second > nowMs + toleranceMs)
    throw new ProviderError('clock', 'the ID token is from the future');
  return parsed.data;
}

/** The answer as the library wants it: an address with the parameters that came. */
function answerUrl(options: OidcOptions, { redirectUri, code, state, iss }: CodeExchange): URL {
  const answer = new URL(redirectUri);
  answer.searchParams.set('code', code);
  answer.searchParams.set('state', state);
  if (options.checksIss !== false && iss !== undefined) answer.searchParams.set('iss', iss);
  return answer;
}

/** What the ID token leaves out. An address and the word that it is verified come from one place. */
async function completed(configuration: Configuration, claims: Claims, accessToken: string): Promise<Claims> {
  const isComplete = claims.email !== undefined && claims.name !== undefined;
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = claimsSchema.parse(await fetchUserInfo(configuration, accessToken, claims.sub));
  const address =
    claims.email === undefined ? { email: info.email, email_verified: info.email_verified } : {};
  return { ...info, ...claims, name: claims.name ?? info.name, ...address };
}

async function claimsOf(
  options: OidcOptions,
  configuration: Configuration,
  exchange: CodeExchange & { nowMs: number },
): Promise<Claims> {
  const tokens = await authorizationCodeGrant(configuration, answerUrl(options, exchange), {
    expectedState: exchange.state,
    idTokenExpected: true,
    ...(options.usesPkce === false ? {} : { pkceCodeVerifier: exchange.codeVerifier }),
    ...(options.usesNonce === false ? {} : { expectedNonce: exchange.nonce }),
    ...(wantsMaxAge(configuration, exchange) ? { maxAge: 0 } : {}),
  });
  const claims = checkedClaims(tokens.claims(), exchange.nowMs);
  return options.fetchesUserInfo === true ? completed(configuration, claims, tokens.access_token) : claims;
}

/** Only an issuer that reports when a user signed in can be required to sign in afresh. */
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
 * Redeems the code. After a fault of the set-up the discovery document is read again: it may have been
 * corrected.
 */
async function identify(
  options: OidcOptions,
  lazy: LazyConfiguration,
  exchange: CodeExchange & { nowMs: number },
): Promise<ProviderProfile> {
  const found = await lazy.get();
  if (options.checksIss !== false) rejectOtherIssuer(found.serverMetadata(), exchange.iss);
  try {
    return options.profile(await claimsOf(options, found, exchange), exchange.user);
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

/** A provider that speaks OpenID Connect; what is its own stands in `options`. */
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
