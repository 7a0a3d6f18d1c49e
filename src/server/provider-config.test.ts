import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';

const applePem = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const oidc = {
  OIDC_HOME_ISSUER: 'https://id.example',
  OIDC_HOME_CLIENT_ID: 'a',
  OIDC_HOME_CLIENT_SECRET: 'b',
};
const providersOf = (environment: Record<string, string>) => readConfig(environment).providers;

describe('the providers of a configuration', () => {
  test('are those with variables, well-known ones first', () => {
    const environment = {
      ...oidc,
      OIDC_HOME_NAME: 'Home',
      OIDC_HOME_TRUST_EMAIL: 'true',
      GITHUB_CLIENT_ID: 'c',
      GITHUB_CLIENT_SECRET: 'd',
      GOOGLE_CLIENT_ID: 'e',
      GOOGLE_CLIENT_SECRET: 'f',
    };
    expect(providersOf(environment)).toEqual([
      { kind: 'google', clientId: 'e', clientSecret: 'f' },
      { kind: 'github', clientId: 'c', clientSecret: 'd' },
      {
        kind: 'oidc',
        id: 'home',
        name: 'Home',
        issuer: 'https://id.example',
        clientId: 'a',
        clientSecret: 'b',
        trustEmail: true,
      },
    ]);
  });

  test('may have a method of client authentication', () => {
    expect(providersOf({ ...oidc, OIDC_HOME_CLIENT_AUTH: 'client_secret_basic' })).toMatchObject([
      { clientAuth: 'client_secret_basic' },
    ]);
  });

  test('may have an id of several words, and need no name', () => {
    const [provider] = providersOf({
      OIDC_OUR_CLUB_ISSUER: 'http://127.0.0.1:9000',
      OIDC_OUR_CLUB_CLIENT_ID: 'a',
      OIDC_OUR_CLUB_CLIENT_SECRET: 'b',
    });
    expect(provider).toMatchObject({ id: 'our-club', name: 'OUR_CLUB', trustEmail: false });
  });

  test('accept every Microsoft tenant unless one is configured', () => {
    const client = { MICROSOFT_CLIENT_ID: 'a', MICROSOFT_CLIENT_SECRET: 'b' };
    expect(providersOf(client)).toEqual([
      { kind: 'microsoft', clientId: 'a', clientSecret: 'b', tenant: 'common', trustEdov: false },
    ]);
    expect(
      providersOf({ ...client, MICROSOFT_TENANT: 'organizations', MICROSOFT_TRUST_EDOV: 'true' }),
    ).toMatchObject([{ tenant: 'organizations', trustEdov: true }]);
  });

  test('accept Apple’s key with escaped line breaks, as variables often have them', () => {
    const [provider] = providersOf({
      APPLE_CLIENT_ID: 'a',
      APPLE_TEAM_ID: 'b',
      APPLE_KEY_ID: 'c',
      APPLE_PRIVATE_KEY: applePem.replaceAll('\n', '\\n'),
    });
    expect(provider).toEqual({
      kind: 'apple',
      clientId: 'a',
      teamId: 'b',
      keyId: 'c',
      privateKey: applePem,
      appId: '',
    });
  });

  test.for<[mistake: string, environment: Record<string, string>]>([
    ['GOOGLE_CLIENT_SECRET is missing', { GOOGLE_CLIENT_ID: 'a' }],
    [
      'APPLE_PRIVATE_KEY must be the unchanged .p8 file',
      { APPLE_CLIENT_ID: 'a', APPLE_TEAM_ID: 'b', APPLE_KEY_ID: 'c', APPLE_PRIVATE_KEY: 'x' },
    ],
    ['OIDC_HOME_CLIENT_SECRET is missing', { ...oidc, OIDC_HOME_CLIENT_SECRET: '' }],
    [
      'OIDC_HOME_ISSUER must be an address that begins with https://',
      { ...oidc, OIDC_HOME_ISSUER: 'http://id.example' },
    ],
    [
      'OIDC_HOME_ISSUER must be the issuer, without',
      { ...oidc, OIDC_HOME_ISSUER: 'https://id.example/.well-known/openid-configuration' },
    ],
    [
      'OIDC_HOME_CLIENT_AUTH must be client_secret_post or client_secret_basic',
      { ...oidc, OIDC_HOME_CLIENT_AUTH: 'basic' },
    ],
    ['OIDC_HOME_TRUST_EMAIL must be true or false', { ...oidc, OIDC_HOME_TRUST_EMAIL: 'yes' }],
    [
      'a provider may not be called login',
      { OIDC_LOGIN_ISSUER: 'https://id.example', OIDC_LOGIN_CLIENT_ID: 'a', OIDC_LOGIN_CLIENT_SECRET: 'b' },
    ],
    [
      'a provider may not be called google',
      {
        OIDC_GOOGLE_ISSUER: 'https://id.example',
        OIDC_GOOGLE_CLIENT_ID: 'a',
        OIDC_GOOGLE_CLIENT_SECRET: 'b',
      },
    ],
    [
      'a provider may not be called 1st',
      { OIDC_1ST_ISSUER: 'https://id.example', OIDC_1ST_CLIENT_ID: 'a', OIDC_1ST_CLIENT_SECRET: 'b' },
    ],
  ])('are rejected with the message: %s', ([mistake, environment]) => {
    expect(() => readConfig(environment)).toThrow(mistake);
  });
});

describe('a secret', () => {
  const fileWith = async (content: string): Promise<string> => {
    const directory = await mkdtemp(join(tmpdir(), 'earshot-secrets-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await writeFile(join(directory, 'secret'), content);
    return join(directory, 'secret');
  };

  test('may be in a file, without the trailing line break', async () => {
    const path = await fileWith('from the file\n');
    expect(providersOf({ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET_FILE: path })).toEqual([
      { kind: 'github', clientId: 'a', clientSecret: 'from the file' },
    ]);
    expect(readConfig({ METRICS_TOKEN_FILE: await fileWith('a-token-for-metrics\r\n') }).metricsToken).toBe(
      'a-token-for-metrics',
    );
  });

  test('may not be in both places, nor in a missing file', async () => {
    const path = await fileWith('x');
    expect(() =>
      readConfig({ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b', GITHUB_CLIENT_SECRET_FILE: path }),
    ).toThrow('GITHUB_CLIENT_SECRET_FILE cannot be used: GITHUB_CLIENT_SECRET is set as well');
    expect(() => readConfig({ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET_FILE: `${path}-not` })).toThrow(
      'GITHUB_CLIENT_SECRET_FILE names a file that cannot be read',
    );
  });

  test('of other programs is ignored', () => {
    expect(readConfig({ SOMEBODY_ELSES_FILE: '/nowhere' }).providers).toEqual([]);
  });
});
