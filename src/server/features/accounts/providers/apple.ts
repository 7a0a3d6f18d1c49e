import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { ClientAuth } from 'openid-client';
import { z } from 'zod';
import { minute, second } from '#base/duration.ts';
import type { Clock } from '#base/clock.ts';
import type { AppleSettings } from './provider-settings.ts';
import { fixedProof } from './client-proof.ts';
import { readAppleNotice } from './apple-notice.ts';
import { oidcProvider, type Claims } from './oidc.ts';
import type { ProviderDeps, ProviderProfile, SignInProvider } from './provider.ts';

const issuer = 'https://appleid.apple.com';
const secretLivesMs = 5 * minute;
const firstConsentSchema = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Apple's client secret is a JWT signed (ES256) with the key that Apple issued. It is created for every request. */
function clientSecret(settings: AppleSettings, key: KeyObject, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / second);
  const claims = {
    iss: settings.teamId,
    iat: issuedAt,
    exp: issuedAt + secretLivesMs / second,
    aud: issuer,
    sub: settings.clientId,
  };
  const content = `${encoded({ alg: 'ES256', kid: settings.keyId })}.${encoded(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function clientAuthOf(settings: AppleSettings, clock: Clock): ClientAuth {
  const key = createPrivateKey(settings.privateKey);
  return (_server, client, body) => {
    body.set('client_id', client.client_id);
    body.set('client_secret', clientSecret(settings, key, clock.nowMs()));
  };
}

/**
 * Apple sends the name unsigned, next to the code, and only at the first consent. It may be displayed but proves
 * nothing.
 */
function nameFrom(user: string | undefined): string | null {
  if (user === undefined) return null;
  try {
    const { name } = firstConsentSchema.parse(JSON.parse(user));
    return [name.firstName, name.lastName].filter(Boolean).join(' ') || null;
  } catch {
    return null;
  }
}

function profileOf(claims: Claims, user: string | undefined): ProviderProfile {
  const email = claims.email ?? null;
  const isVerified = claims.email_verified === true || claims.email_verified === 'true';
  return {
    issuer,
    subject: claims.sub,
    email,
    provenEmail: isVerified ? email : null,
    name: nameFrom(user),
    label: email,
  };
}

/** Apple: OpenID Connect with a form-post response. Addresses may be Apple's relay addresses. */
export function apple(settings: AppleSettings, deps: ProviderDeps): SignInProvider {
  const provider = oidcProvider(
    {
      id: 'apple',
      name: 'Apple',
      kind: 'apple',
      issuer,
      clientId: settings.clientId,
      proof: fixedProof('private key', clientAuthOf(settings, deps.clock)),
      scope: 'name email openid',
      parameters: { response_mode: 'form_post' },
      profile: profileOf,
    },
    deps,
  );
  return {
    ...provider,
    readNotice: (payload) =>
      readAppleNotice({ payload, issuer, audiences: [settings.clientId, settings.appId] }, deps),
  };
}
