import type { ProviderKind } from '#contract/providers-api.ts';

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
