import type { ProviderKind } from '#contract/providers-api.ts';
import type { SecretMethod } from './client-proof.ts';

/** The client credentials that the provider issued for this server. */
interface ClientSettings {
  clientId: string;
  clientSecret: string;
}

/** A generic OpenID Connect issuer, with an id and a name that the operator chose. */
export interface OidcSettings extends ClientSettings {
  kind: 'oidc';
  id: string;
  name: string;
  issuer: string;
  /** Whether the operator trusts this issuer's `email_verified`. */
  trustEmail: boolean;
  /**
   * The client authentication method, if the operator set one. Otherwise the provider's metadata and responses
   * decide.
   */
  clientAuth?: SecretMethod | undefined;
}

export interface MicrosoftSettings extends ClientSettings {
  kind: 'microsoft';
  /** `common`, `organizations`, `consumers`, or the id of one tenant. */
  tenant: string;
  /**
   * Whether the app is configured to send the `xms_edov` claim, which confirms that the tenant owns the email
   * domain.
   */
  trustEdov: boolean;
}

export interface AppleSettings {
  kind: 'apple';
  /** The Services ID. */
  clientId: string;
  teamId: string;
  keyId: string;
  /** PKCS #8 PEM, as downloaded. */
  privateKey: string;
  /** The App ID in the audience of notices about accounts, if it is not the Services ID; or empty. */
  appId: string;
}

export interface SimpleSettings extends ClientSettings {
  kind: 'google' | 'linkedin' | 'github' | 'facebook' | 'discord';
}

/** The settings of a provider from the environment variables. */
export type ProviderSettings = OidcSettings | MicrosoftSettings | AppleSettings | SimpleSettings;

/** A provider whose setup needs only credentials. Its kind is also its id. */
export interface KnownProvider {
  kind: Exclude<ProviderKind, 'oidc'>;
  name: string;
  variables: readonly string[];
}

/** How any other issuer is configured. `home` stands for the id that the operator chooses. */
export const anyIssuer = {
  kind: 'oidc',
  name: 'OpenID Connect',
  exampleId: 'home',
  variables: ['OIDC_HOME_ISSUER', 'OIDC_HOME_CLIENT_ID', 'OIDC_HOME_CLIENT_SECRET', 'OIDC_HOME_NAME'],
} as const;

/** In display order. */
export const knownProviders: readonly KnownProvider[] = [
  { kind: 'google', name: 'Google', variables: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] },
  {
    kind: 'apple',
    name: 'Apple',
    variables: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
  },
  { kind: 'microsoft', name: 'Microsoft', variables: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'] },
  { kind: 'github', name: 'GitHub', variables: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'] },
  { kind: 'linkedin', name: 'LinkedIn', variables: ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET'] },
  { kind: 'facebook', name: 'Facebook', variables: ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'] },
  { kind: 'discord', name: 'Discord', variables: ['DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'] },
];

/** Path segments below /auth/ that our routes use. A provider with such an id would take over the route. */
export const reservedIds: ReadonlySet<string> = new Set([
  'login',
  'signup',
  'unlink',
  'logout',
  'session',
  'sessions',
  'password',
  'email',
  'totp',
  'passkeys',
  'reauthenticate',
  'providers',
  'identities',
  'account',
  'callback',
]);
