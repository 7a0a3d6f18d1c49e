import type { SecretMethod } from '#server/features/accounts/provider-client/client-proof.ts';

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
