import { afterAll, beforeAll } from 'vitest';
import type { OidcSettings } from '#server/features/accounts/providers/provider-settings.ts';
import { startLocalIssuer, type LocalIssuer, type LocalUser } from '#scripts/demo/local-issuer.ts';
import { publicUrl } from './app-under-test.ts';

const clientSecret = 'a secret that only the two of us know';

/** The users of both issuers. Their subjects are the same, so that only the issuer distinguishes them. */
const people: readonly LocalUser[] = [
  {
    sub: 'ann',
    claims: {
      name: 'Ann Lovelace',
      preferred_username: 'ann',
      email: 'ann@example.org',
      email_verified: true,
    },
  },
  {
    sub: 'bob',
    claims: { name: 'Bob', preferred_username: 'bob', email: 'bob@example.org', email_verified: true },
  },
  { sub: 'unverified', claims: { name: 'Ann too', email: 'ann@example.org', email_verified: false } },
  { sub: 'unsaid', claims: { name: 'Ann three', email: 'ann@example.org' } },
  { sub: 'as-text', claims: { name: 'Ann four', email: 'ann@example.org', email_verified: 'true' } },
  { sub: 'addressless', claims: { name: 'Nobody' } },
  { sub: 'silent', claims: {} },
  { sub: 'invisible', claims: { name: '\u200b \u2060', preferred_username: '–' } },
  { sub: 'parts', claims: { given_name: 'Grace', family_name: 'Hopper' } },
  { sub: 'nick', claims: { nickname: 'Ducky' } },
  { sub: 'unproven', claims: { email: 'quiet.two@example.org', email_verified: false } },
  { sub: 'nameless', claims: { email: 'quiet.one@example.org', email_verified: true } },
];

/** Two real issuers for all tests of a file: `one` is trusted to verify addresses, `two` is not. */
export function honestIssuers(): { settings: OidcSettings[]; one: () => LocalIssuer } {
  const running: LocalIssuer[] = [];
  const settings: OidcSettings[] = [];
  beforeAll(async () => {
    for (const id of ['one', 'two']) {
      const issuer = await startLocalIssuer({
        port: 0,
        people,
        choosePage: () => '<form method="post"><input name="user"></form>',
        client: {
          clientId: 'earshot',
          clientSecret,
          redirectUris: ['one', 'two'].map((name) => `${publicUrl}/auth/${name}/callback`),
        },
      });
      running.push(issuer);
      settings.push({
        kind: 'oidc',
        id,
        name: `Issuer ${id}`,
        issuer: issuer.issuer,
        clientId: 'earshot',
        clientSecret,
        trustEmail: id === 'one',
      });
    }
  });
  afterAll(async () => {
    for (const issuer of running) await issuer.stop();
  });
  return {
    settings,
    one() {
      const [first] = running;
      if (!first) throw new Error('no issuer is running');
      return first;
    },
  };
}
