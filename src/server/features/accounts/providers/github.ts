import { z } from 'zod';
import type { SimpleSettings } from './provider-settings.ts';
import { oauth2Provider, type ReadResource } from './oauth2.ts';
import { translated } from './provider-network.ts';
import type { ProviderDeps, ProviderProfile, SignInProvider } from './provider.ts';

const issuer = 'https://github.com';
const userSchema = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));
const version = { 'x-github-api-version': '2022-11-28' };

/**
 * The verified primary address. An app that may not read it signs users in without one. A temporary failure is an
 * error: without the address, an account that already has it would not be found.
 */
async function emailOf(read: ReadResource): Promise<{ email: string | null; warning?: string }> {
  try {
    const emails = emailsSchema.parse(await read('https://api.github.com/user/emails', version));
    return { email: emails.find(({ primary, verified }) => primary && verified)?.email ?? null };
  } catch (error) {
    const { reason, message } = translated(error, 'rejected');
    if (reason === 'unavailable' || reason === 'slow') throw error;
    return { email: null, warning: `the e-mail addresses could not be read: ${message}` };
  }
}

/** The numeric id identifies the account: the user name can change and be taken by another user. */
async function profileOf(read: ReadResource): Promise<ProviderProfile> {
  const user = userSchema.parse(await read('https://api.github.com/user', version));
  const { email, ...rest } = await emailOf(read);
  return {
    issuer,
    subject: String(user.id),
    email,
    provenEmail: email,
    name: user.name ?? user.login,
    label: user.login,
    ...rest,
  };
}

/** GitHub: OAuth 2. */
export function github({ clientId, clientSecret }: SimpleSettings, deps: ProviderDeps): SignInProvider {
  return oauth2Provider(
    {
      id: 'github',
      name: 'GitHub',
      kind: 'github',
      issuer,
      clientId,
      clientSecret,
      scope: 'read:user user:email',
      answerIssuer: 'https://github.com/login/oauth',
      authorizationEndpoint: 'https://github.com/login/oauth/authorize',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      reauthenticationParameters: { prompt: 'select_account' },
      profile: profileOf,
    },
    deps,
  );
}
