import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { SimpleSettings } from './provider-settings.ts';
import { oauth2Provider, type ReadResource } from './oauth2.ts';
import { ProviderError, type ProviderDeps, type ProviderProfile, type SignInProvider } from './provider.ts';

const issuer = 'https://www.facebook.com';
const graph = 'https://graph.facebook.com/v23.0';
const debugSchema = z.object({
  data: z.object({ app_id: z.string(), is_valid: z.boolean(), user_id: z.string() }),
});
const userSchema = z.object({ id: z.string(), name: z.string().optional(), email: z.string().optional() });

/** `/me` accepts an access token issued to any app. Only `debug_token` reports which app it was issued to. */
async function assertOurToken(
  settings: SimpleSettings,
  read: ReadResource,
  accessToken: string,
): Promise<string> {
  const url = new URL(`${graph}/debug_token`);
  url.searchParams.set('input_token', accessToken);
  url.searchParams.set('access_token', `${settings.clientId}|${settings.clientSecret}`);
  const { data } = debugSchema.parse(await read(url.href));
  if (!data.is_valid || data.app_id !== settings.clientId)
    throw new ProviderError('rejected', 'the access token was issued for another app');
  return data.user_id;
}

/** The address may be missing and never counts as verified: Facebook does not report whether it was. */
async function profileOf(
  settings: SimpleSettings,
  read: ReadResource,
  accessToken: string,
): Promise<ProviderProfile> {
  const subject = await assertOurToken(settings, read, accessToken);
  const url = new URL(`${graph}/me`);
  url.searchParams.set('fields', 'id,name,email');
  url.searchParams.set(
    'appsecret_proof',
    createHmac('sha256', settings.clientSecret).update(accessToken).digest('hex'),
  );
  const user = userSchema.parse(await read(url.href));
  if (user.id !== subject)
    throw new ProviderError('rejected', 'the profile is another person’s than the token');
  return {
    issuer,
    subject,
    email: user.email ?? null,
    provenEmail: null,
    name: user.name ?? null,
    label: user.name ?? null,
  };
}

/** Facebook: OAuth 2. */
export function facebook(settings: SimpleSettings, deps: ProviderDeps): SignInProvider {
  const { clientId, clientSecret } = settings;
  return oauth2Provider(
    {
      id: 'facebook',
      name: 'Facebook',
      kind: 'facebook',
      issuer,
      clientId,
      clientSecret,
      scope: 'public_profile,email',
      authorizationEndpoint: 'https://www.facebook.com/v23.0/dialog/oauth',
      tokenEndpoint: `${graph}/oauth/access_token`,
      reauthenticationParameters: { auth_type: 'reauthenticate' },
      profile: (read, accessToken) => profileOf(settings, read, accessToken),
    },
    deps,
  );
}
