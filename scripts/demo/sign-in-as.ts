import { ApiClient } from '#tests/support/api-client.ts';
import { WebVisitor } from './web-visitor.ts';

/** Signs in as a user of a local issuer, as a browser would. Returns the signed-in client. */
export async function signInAs(url: string, provider: string, user: string): Promise<ApiClient> {
  const client = new ApiClient(url);
  const started = await client.json('POST', `/auth/${provider}`, { body: { locale: 'en' } });
  const authorizationUrl =
    typeof started === 'object' && started !== null && 'authorizationUrl' in started
      ? String(started.authorizationUrl)
      : '';
  const back = await new WebVisitor().goUntil(({ origin }) => origin === url, authorizationUrl, user);
  await client.json('POST', `/auth/${provider}`, { body: Object.fromEntries(back.searchParams) });
  return client;
}
