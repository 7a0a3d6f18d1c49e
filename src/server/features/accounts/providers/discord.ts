import { z } from 'zod';
import type { SimpleSettings } from './provider-settings.ts';
import { oauth2Provider, type ReadResource } from './oauth2.ts';
import type { ProviderDeps, ProviderProfile, SignInProvider } from './provider.ts';

const issuer = 'https://discord.com';
const userSchema = z.object({
  id: z.string().regex(/^\d+$/),
  username: z.string(),
  global_name: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().optional(),
});

async function profileOf(read: ReadResource): Promise<ProviderProfile> {
  const user = userSchema.parse(await read('https://discord.com/api/v10/users/@me'));
  const email = user.email ?? null;
  return {
    issuer,
    subject: user.id,
    email,
    provenEmail: user.verified === true ? email : null,
    name: user.global_name ?? user.username,
    label: user.username,
  };
}

/** Discord: OAuth 2. */
export function discord({ clientId, clientSecret }: SimpleSettings, deps: ProviderDeps): SignInProvider {
  return oauth2Provider(
    {
      id: 'discord',
      name: 'Discord',
      kind: 'discord',
      issuer,
      clientId,
      clientSecret,
      scope: 'identify email',
      authorizationEndpoint: 'https://discord.com/oauth2/authorize',
      tokenEndpoint: 'https://discord.com/api/oauth2/token',
      reauthenticationParameters: { prompt: 'consent' },
      profile: profileOf,
    },
    deps,
  );
}
