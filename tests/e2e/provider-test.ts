import { type Page } from '@playwright/test';
import { startLocalIssuer, type LocalIssuer, type LocalUser } from '#scripts/demo/local-issuer.ts';
import { freePort } from '#scripts/free-port.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import type { SmtpSink } from '#tests/support/smtp-sink.ts';
import { test as base, expect } from './earshot-test.ts';

export const people: readonly LocalUser[] = [
  { sub: 'ann', claims: { name: 'Ann of the village', email: 'ann@village.example', email_verified: true } },
  { sub: 'bob', claims: { name: 'Bob of the village', email: 'bob@village.example', email_verified: true } },
];

export const choosePage = (): string =>
  `<!doctype html><title>Village</title><link rel="icon" href="data:,"><form method="post">${people
    .map(({ sub }) => `<button name="user" value="${sub}">${sub}</button>`)
    .join('')}<button name="user" value="">nobody</button></form>`;

interface Village {
  /** Runs at its own port, which makes it another origin than the app's. */
  issuer: LocalIssuer;
  server: EarshotServer;
}

async function found(mail: Record<string, string>): Promise<Village> {
  const port = await freePort();
  const secret = 'between the village and us';
  const server = await EarshotServer.launch({
    OIDC_VILLAGE_ISSUER: `http://127.0.0.1:${port}`,
    OIDC_VILLAGE_CLIENT_ID: 'earshot',
    OIDC_VILLAGE_CLIENT_SECRET: secret,
    OIDC_VILLAGE_NAME: 'Village ID',
    OIDC_VILLAGE_TRUST_EMAIL: 'true',
    ...mail,
  });
  const issuer = await startLocalIssuer({
    port,
    people,
    choosePage,
    client: {
      clientId: 'earshot',
      clientSecret: secret,
      redirectUris: [`${server.url}/auth/village/callback`],
    },
  });
  return { issuer, server };
}

/** Gives every test a real OpenID Connect provider on another site, beside its own server. */
export const test = base.extend<{ sink: SmtpSink | null; village: Village }>({
  /** Receives the server's mails; null if the server sends none. */
  sink: async ({}, use) => use(null),
  village: async ({ sink }, use) => {
    const village = await found(
      sink ? { SMTP_URL: sink.url, MAIL_FROM: 'Earshot <earshot@example.org>' } : {},
    );
    await use(village);
    await village.issuer.stop();
    await village.server.dispose();
  },
  server: async ({ village }, use) => use(village.server),
});

/** Presses a button that opens the provider's window, and chooses a user there. */
export async function signInInPopup(
  page: Page,
  { press, user }: { press: string | RegExp; user: 'ann' | 'bob' | 'nobody' },
): Promise<void> {
  const opening = page.waitForEvent('popup');
  await page.getByRole('button', { name: press }).click();
  const popup = await opening;
  const closing = popup.waitForEvent('close');
  await popup.getByRole('button', { name: user }).click();
  await closing;
}

export { expect };
