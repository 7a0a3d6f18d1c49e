import type { SimpleSettings } from './provider-settings.ts';
import { secretProof } from './client-proof.ts';
import { oidcProvider, type Claims } from './oidc.ts';
import type { ProviderDeps, ProviderProfile, SignInProvider } from './provider.ts';

const issuer = 'https://accounts.google.com';

/**
 * By Google's documentation, Google is authoritative only for addresses at gmail.com or of a Workspace domain
 * (`hd`). Other addresses may have changed owners.
 */
const isAuthority = (claims: Claims, email: string): boolean =>
  claims.email_verified === true &&
  (/@gmail\.com$/i.test(email) || (typeof claims['hd'] === 'string' && claims['hd'] !== ''));

function profileOf(claims: Claims): ProviderProfile {
  const { sub, email = null, name = null } = claims;
  return {
    issuer,
    subject: sub,
    email,
    name,
    label: email ?? name,
    provenEmail: email !== null && isAuthority(claims, email) ? email : null,
  };
}

/** Google: OpenID Connect. */
export function google({ clientId, clientSecret }: SimpleSettings, deps: ProviderDeps): SignInProvider {
  return oidcProvider(
    {
      id: 'google',
      name: 'Google',
      kind: 'google',
      issuer,
      clientId,
      proof: secretProof({ clientId, clientSecret, method: 'client_secret_post' }),
      scope: 'openid email profile',
      parameters: { prompt: 'select_account' },
      profile: profileOf,
    },
    deps,
  );
}
