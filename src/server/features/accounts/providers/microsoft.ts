import { z } from 'zod';
import type { MicrosoftSettings } from './provider-settings.ts';
import { secretProof } from './client-proof.ts';
import { oidcProvider, type Claims } from './oidc.ts';
import { ProviderError, type ProviderDeps, type ProviderProfile, type SignInProvider } from './provider.ts';

const origin = 'https://login.microsoftonline.com';
const entraSchema = z.object({
  tid: z.uuid(),
  oid: z.string().min(1),
  iss: z.string(),
  xms_edov: z.unknown().optional(),
});
const issuerOf = (tenant: string): string => `${origin}/${tenant}/v2.0`;
const isTenantId = (tenant: string): boolean => z.uuid().safeParse(tenant).success;

/**
 * Tenant and object id identify a user; `sub` differs per app. The email address is whatever a tenant's
 * administrator entered, so it proves nothing, unless the app requests `xms_edov` and it is true.
 */
function profileOf(settings: MicrosoftSettings, claims: Claims): ProviderProfile {
  const { tid, oid, iss, xms_edov: ownsDomain } = entraSchema.parse(claims);
  if (iss !== issuerOf(tid))
    throw new ProviderError('rejected', 'the ID token names one tenant and another issuer');
  const { email = null, name = null } = claims;
  const isProven = settings.trustEdov && (ownsDomain === true || ownsDomain === 1 || ownsDomain === '1');
  return {
    issuer: iss,
    subject: oid,
    email,
    name,
    label: claims.preferred_username ?? name,
    provenEmail: isProven ? email : null,
  };
}

/** Microsoft (work, school and personal accounts): OpenID Connect. */
export function microsoft(settings: MicrosoftSettings, deps: ProviderDeps): SignInProvider {
  const { clientId, clientSecret, tenant } = settings;
  const issuer = issuerOf(tenant);
  return oidcProvider(
    {
      id: 'microsoft',
      name: 'Microsoft',
      kind: 'microsoft',
      issuer,
      clientId,
      proof: secretProof({ clientId, clientSecret, method: 'client_secret_post' }),
      scope: 'openid email profile',
      parameters: { prompt: 'select_account' },
      // The issuer of `common` is a template that no response can equal. The issuer of the ID token is checked
      // against its tenant instead.
      checksIss: isTenantId(tenant),
      owns: (candidate) => (isTenantId(tenant) ? candidate === issuer : candidate.startsWith(`${origin}/`)),
      profile: (claims) => profileOf(settings, claims),
    },
    deps,
  );
}
