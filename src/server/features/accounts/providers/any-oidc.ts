import type { OidcSettings } from './provider-settings.ts';
import { secretProof } from './client-proof.ts';
import { type Claims, displayNameIn, oidcProvider, withoutSlash } from './oidc.ts';
import type { ProviderDeps, ProviderProfile, SignInProvider } from './provider.ts';

function profileOf(settings: OidcSettings, claims: Claims): ProviderProfile {
  const { sub, email = null } = claims;
  const name = displayNameIn(claims);
  return {
    // As the issuer writes itself: how the operator wrote it (a slash more or less) must not make other
    // people of its people.
    issuer: claims.iss ?? settings.issuer,
    subject: sub,
    email,
    name,
    label: claims.preferred_username ?? name,
    // Exactly true: some issuers answer with a text, and "false" is true as well.
    provenEmail: settings.trustEmail && claims.email_verified === true ? email : null,
  };
}

/** Any OpenID Connect issuer. Its addresses count as proven only where the operator says so. */
export function anyOidc(settings: OidcSettings, deps: ProviderDeps): SignInProvider {
  const { id, name, kind, issuer, clientId, clientSecret, clientAuth } = settings;
  return oidcProvider(
    {
      id,
      name,
      kind,
      issuer,
      clientId,
      proof: secretProof({ clientId, clientSecret, method: clientAuth }),
      scope: 'openid email profile',
      fetchesUserInfo: true,
      owns: (candidate) => withoutSlash(candidate) === withoutSlash(issuer),
      profile: (claims) => profileOf(settings, claims),
    },
    deps,
  );
}
