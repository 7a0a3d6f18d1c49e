import { z } from 'zod';
import type { SimpleSettings } from './provider-settings.ts';
import { secretProof } from './client-proof.ts';
import { oidcProvider, type Claims } from './oidc.ts';
import type { ProviderDeps, ProviderProfile, SignInProvider } from './provider.ts';

const issuer = 'https://www.linkedin.com/oauth';
const tokenPath = '/oauth/v2/accessToken';

function profileOf(claims: Claims): ProviderProfile {
  const { sub, email = null, name = null } = claims;
  return {
    issuer,
    subject: sub,
    email,
    name,
    label: name ?? email,
    provenEmail: claims.email_verified === true ? email : null,
  };
}

/** Adds the `token_type` that RFC 6749 §5.1 requires and that LinkedIn's token response lacks. */
function withTokenType(fetch: ProviderDeps['fetch']): ProviderDeps['fetch'] {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (new URL(url).pathname !== tokenPath || !response.ok) return response;
    const body = z.looseObject({}).safeParse(
      await response
        .clone()
        .json()
        .catch(() => null),
    );
    return body.success
      ? Response.json({ token_type: 'Bearer', ...body.data }, { status: response.status })
      : response;
  };
}

/**
 * LinkedIn: OpenID Connect with gaps. LinkedIn omits the nonce from its ID tokens, and answers `invalid_client` to
 * PKCE unless it was enabled for the app. State, browser cookie and redirect URI bind a response to its flow
 * instead.
 */
export function linkedin({ clientId, clientSecret }: SimpleSettings, deps: ProviderDeps): SignInProvider {
  return oidcProvider(
    {
      id: 'linkedin',
      name: 'LinkedIn',
      kind: 'linkedin',
      issuer,
      clientId,
      proof: secretProof({ clientId, clientSecret, method: 'client_secret_post' }),
      scope: 'openid profile email',
      usesNonce: false,
      usesPkce: false,
      fetchesUserInfo: true,
      fetch: withTokenType(deps.fetch),
      profile: profileOf,
    },
    deps,
  );
}
