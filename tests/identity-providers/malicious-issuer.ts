import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { Events, OAuth2Server, type MutableResponse, type MutableToken } from 'oauth2-mock-server';
import { onTestFinished } from 'vitest';
import type { OidcSettings } from '#server/features/accounts/providers/provider-settings.ts';

const maliciousSecret = 'a secret that the malicious issuer knows too';

type Claims = Record<string, unknown>;

/** An issuer whose responses a test can falsify. */
export interface MaliciousIssuer {
  settings: OidcSettings;
  /** The number of requests to its token endpoint. */
  tokenRequests: () => number;
  /** Changes the claims of every ID token before it is signed. */
  claim(change: (claims: Claims) => void): void;
  /** Changes the response of the token endpoint. */
  answer(change: (response: MutableResponse) => void): void;
  /** Signs with one more key from now on, alternating with the first. */
  addKey(): Promise<unknown>;
  userInfo(change: (response: MutableResponse) => void): void;
  discovery(change: (response: MutableResponse) => void): void;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsIn = (token: unknown): Claims =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString('utf8'));
const headerIn = (token: unknown): Claims =>
  JSON.parse(Buffer.from(String(token).split('.')[0] ?? '', 'base64url').toString('utf8'));

/** The same claims with another header and signature. */
export const forged = {
  unsigned: (token: unknown): string => `${part({ alg: 'none' })}.${part(claimsIn(token))}.`,
  bySecret: (token: unknown): string => {
    const content = `${part({ alg: 'HS256' })}.${part(claimsIn(token))}`;
    return `${content}.${createHmac('sha256', maliciousSecret).update(content).digest('base64url')}`;
  },
  garbage: (token: unknown): string =>
    `${String(token).split('.').slice(0, 2).join('.')}.${Buffer.alloc(256, 1).toString('base64url')}`,
  byOtherKey: (token: unknown, kid?: string): string => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const content = `${part({ ...headerIn(token), ...(kid === undefined ? {} : { kid }) })}.${part(claimsIn(token))}`;
    return `${content}.${createSign('sha256').update(content).sign(privateKey).toString('base64url')}`;
  },
};

/** Starts one for the duration of a test. */
export async function maliciousIssuer(id = 'evil'): Promise<MaliciousIssuer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  const { port } = server.address();
  server.issuer.url = `http://127.0.0.1:${port}`;
  onTestFinished(() => server.stop());
  let tokenRequests = 0;
  server.service.on(Events.BeforeResponse, () => {
    tokenRequests += 1;
  });
  const isIdToken = ({ payload }: MutableToken): boolean => payload['aud'] !== undefined;
  return {
    settings: {
      kind: 'oidc',
      id,
      name: 'Evil',
      issuer: server.issuer.url,
      clientId: 'earshot',
      clientSecret: maliciousSecret,
      trustEmail: true,
    },
    tokenRequests: () => tokenRequests,
    claim: (change) => {
      server.service.on(Events.BeforeTokenSigning, (token: MutableToken) => {
        if (isIdToken(token)) change(token.payload);
      });
    },
    answer: (change) => {
      server.service.on(Events.BeforeResponse, change);
    },
    addKey: () => server.issuer.keys.generate('RS256'),
    userInfo: (change) => {
      server.service.on(Events.BeforeUserinfo, change);
    },
    discovery: (change) => {
      server.service.on(Events.BeforeWellKnownOpenIdConfiguration, change);
    },
  };
}
