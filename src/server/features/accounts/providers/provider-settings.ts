import type { ProviderKind } from '#contract/providers-api.ts';
import type { SecretMethod } from './client-proof.ts';

/** The credentials that a provider's console hands out for this server. */
interface ClientSettings {
  clientId: string;
  clientSecret: string;
}

/** Any OpenID Connect issuer, under an id and a name that the operator chose. */
export interface OidcSettings extends ClientSettings {
  kind: 'oidc';
  id: string;
  name: string;
  issuer: string;
  /** The operator vouches that this issuer proves the addresses it calls verified. */
  trustEmail: boolean;
  /**
   * How the client secret is sent, where the operator says it; else the provider's metadata and answers
   * decide.
   */
  clientAuth?: SecretMethod | undefined;
}

export interface MicrosoftSettings extends ClientSettings {
  kind: 'microsoft';
  /** `common`, `organizations`, `consumers`, or the id of one tenant. */
  tenant: string;
  /**
   * The app was set up to send the claim `xms_edov`, which says that the tenant owns the address's domain.
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
  /** The App ID that the notices about accounts are meant for, where it is not the Services ID; or empty. */
  appId: string;
}

export interface SimpleSettings extends ClientSettings {
  kind: 'google' | 'linkedin' | 'github' | 'facebook' | 'discord';
}

/** One provider as the environment describes it. */
export type ProviderSettings = OidcSettings | MicrosoftSettings | AppleSettings | SimpleSettings;

/** A provider that needs only its credentials to be set up, under its own name as id. */
export interface KnownProvider {
  kind: Exclude<ProviderKind, 'oidc'>;
  name: string;
  variables: readonly string[];
}

/** In the order in which they are shown. */
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

/** Words that are paths of ours below /auth/: no provider may be called so, or its address would be taken. */
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
