import type { OidcSettings } from './provider-settings.ts';
import { secretProof } from './client-proof.ts';
import { type Claims, displayNameIn, oidcProvider, withoutSlash } from './oidc.ts';
import type { ProviderDeps, ProviderProfile, SignInProvider } from './provider.ts';

function profileOf(settings: OidcSettings, claims: Claims): ProviderProfile {
  const { sub, email = null } = claims;
  const name = displayNameIn(claims);
  return {
    // Use the issuer as it names itself: adding or removing a trailing slash in the configuration must not turn
    // existing users into new ones.
    issuer: claims.iss ?? settings.issuer,
    subject: sub,
    email,
    name,
    label: claims.preferred_username ?? name,
    // Compare with `true`: some issuers send a string, and the string "false" is truthy.
    provenEmail: settings.trustEmail && claims.email_verified === true ? email : null,
  };
}

/** A generic OpenID Connect issuer. Its email addresses count as verified only if the operator trusts them. */
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
